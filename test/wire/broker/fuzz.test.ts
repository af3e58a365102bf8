import { describe, it } from 'mocha';
import { fuzzBroker } from './support/fuzz.ts';

describe('Every API in every version (embedded)', () => {
  it('[A3] takes senseless and damaged requests without an error of its own', async function () {
    this.timeout(60_000);
    await fuzzBroker({ rounds: 2 });
  });
});
