import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HeldBack } from '../../../src/shared/contracts/tailProgress.ts';
import { stableWords } from '../../../webview/tail/statusWords.ts';

const held: HeldBack = { partition: 2, lastStableOffset: '6650', waiting: '21' };
const producer = { id: '4001', epoch: 3 };

describe('the line of the last stable offset', () => {
  it('says who holds it back and since when, as far as the cluster tells [D6]', () => {
    const where = 'LSO of partition 2: 6,650, 21 offsets behind it';
    const transaction = { id: 'checkout-1', startTimeMs: 1000, timeoutMs: 60_000 };
    assert.equal(
      stableWords({ ...held, producer, transaction }, 13_000),
      `${where}: held by transaction checkout-1 (producer 4001/3), open for 12 s`,
    );
    assert.equal(
      stableWords({ ...held, producer }, 0),
      `${where}: held by a transaction of producer 4001/3`,
    );
    assert.equal(stableWords(held, 0), `${where}: an open transaction holds it back`);
  });
});
