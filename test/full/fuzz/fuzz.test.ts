// KAFKA_WORKBENCH_FUZZ_SECONDS: how long; KAFKA_WORKBENCH_SEED: where to begin.
import { describe, it } from 'mocha';
import { fuzzBroker } from '../../wire/broker/support/fuzz.ts';

const seconds = Number(process.env['KAFKA_WORKBENCH_FUZZ_SECONDS'] ?? 120);

describe('Every API in every version, for long (embedded)', () => {
  it('[A3] takes senseless and damaged requests without an error of its own', async function () {
    this.timeout(seconds * 1000 + 60_000);
    await fuzzBroker({ seconds });
  });
});
