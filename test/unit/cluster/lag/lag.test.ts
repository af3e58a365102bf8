import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LagAlert } from '../../../../src/cluster/lag/lagAlert.ts';
import { lagOf, type LagPosition, totalsOf } from '../../../../src/cluster/lag/lagFigures.ts';
import { LagHistory } from '../../../../src/cluster/lag/lagHistory.ts';
import { LagTally } from '../../../../src/cluster/lag/lagReadable.ts';
import type { BatchHeader } from '../../../../src/protocol/records/recordBatch.ts';
import type { KafkaRecord } from '../../../../src/protocol/records/recordReader.ts';

const at = (
  partition: number,
  committed: bigint | null,
  highWatermark: bigint,
  lastStable = highWatermark,
): LagPosition => ({
  topic: 'orders',
  partition,
  committed,
  offsets: { value: { logStart: 0n, lastStable, highWatermark } },
});
const unreadable: LagPosition = {
  topic: 'orders',
  partition: 9,
  committed: 5n,
  offsets: { problem: { message: 'no leader' } },
};

describe('the lag of a group', () => {
  it('counts to the high watermark, or for read_committed to the last stable offset [G1]', () => {
    const position = at(0, 90n, 100n, 95n);
    assert.equal(lagOf(position, 'read_uncommitted'), 10n);
    assert.equal(lagOf(position, 'read_committed'), 5n);
  });

  it('is unknown, not 0, without a commit or an end, and below 0 where the commit is past the end [G1]', () => {
    assert.equal(lagOf(at(0, null, 100n), 'read_committed'), null);
    assert.equal(lagOf(unreadable, 'read_committed'), null);
    assert.equal(lagOf(at(0, 120n, 100n), 'read_committed'), -20n);
  });

  it('is summed over the partitions that have one, and its largest is named [G1]', () => {
    const pastTheEnd = at(3, 900n, 100n);
    const positions = [
      ...[at(0, 90n, 100n), at(1, null, 50n), at(2, 0n, 2n ** 62n)],
      ...[pastTheEnd, unreadable],
    ];
    assert.deepEqual(totalsOf(positions, 'read_uncommitted'), {
      total: 2n ** 62n + 10n,
      max: { topic: 'orders', partition: 2, lag: 2n ** 62n },
    });
    assert.deepEqual(totalsOf([at(1, null, 50n)], 'read_uncommitted'), { total: null, max: null });
  });
});

describe('the history of a lag', () => {
  const sampled = (
    samples: readonly (readonly [atMs: number, ...positions: LagPosition[]])[],
  ): LagHistory => {
    const history = new LagHistory();
    for (const [atMs, ...positions] of samples) history.add(atMs, positions);
    return history;
  };
  const p0 = { topic: 'orders', partition: 0 };

  it('has rates over the last ten seconds, of a partition and of all [G3]', () => {
    const history = sampled([
      [0, at(0, 0n, 0n), at(1, 0n, 50n)],
      [5000, at(0, 20n, 100n), at(1, 0n, 50n)],
      [10_000, at(0, 50n, 200n), at(1, 0n, 80n)],
      [15_000, at(0, 50n, 200n), at(1, 30n, 80n)],
    ]);
    assert.deepEqual(history.rates(p0), { produced: 10, consumed: 3 });
    assert.deepEqual(history.rates(), { produced: 13, consumed: 6 });
  });

  it('has no rate from one sample, over a long pause, or where offsets went back [G3]', () => {
    const none = { produced: null, consumed: null };
    assert.deepEqual(sampled([[0, at(0, 1n, 2n)]]).rates(p0), none);
    const paused = sampled([
      [0, at(0, 1n, 2n)],
      [61_000, at(0, 5n, 9n)],
    ]);
    assert.deepEqual(paused.rates(p0), none);
    paused.add(63_000, [at(0, 7n, 19n)]);
    assert.deepEqual(paused.rates(p0), { produced: 5, consumed: 1 }, 'of what came after it');
    const reset = sampled([
      [0, at(0, 90n, 100n)],
      [2000, at(0, 10n, 100n)],
    ]);
    assert.deepEqual(reset.rates(p0), { produced: 0, consumed: null });
  });

  it('takes a partition that is new, and a reset, for no production and no consumption [G3]', () => {
    const history = sampled([
      [0, at(0, 90n, 100n)],
      [10_000, at(0, 10n, 110n), at(1, 0n, 5000n)],
    ]);
    assert.deepEqual(history.rates(), { produced: 1, consumed: 0 });
  });

  it('tells when an offset was appended, between the samples that saw the end pass it [G1]', () => {
    const history = sampled([
      [0, at(0, 0n, 100n)],
      [2000, at(0, 0n, 100n)],
      [4000, at(0, 0n, 110n)],
      [6000, at(0, 0n, 110n)],
    ]);
    assert.equal(history.appendedAtMs(p0, 104n), 3000);
    assert.equal(history.appendedAtMs(p0, 109n), 4000);
    assert.equal(history.appendedAtMs(p0, 99n), undefined, 'before it was looked at');
    assert.equal(history.appendedAtMs(p0, 110n), undefined, 'not yet');
  });

  it('does not guess over a pause when an offset was appended [G1]', () => {
    const history = sampled([
      [0, at(0, 0n, 100n)],
      [120_000, at(0, 0n, 110n)],
    ]);
    assert.equal(history.appendedAtMs(p0, 104n), undefined);
  });

  it('keeps five minutes whole, an hour in steps, and nothing beyond [G3]', () => {
    const history = new LagHistory();
    for (let atMs = 0; atMs <= 2 * 3_600_000; atMs += 2000) history.add(atMs, [at(0, 0n, 9n)]);
    const points = history.since(0, 'read_uncommitted', p0);
    const nowMs = 2 * 3_600_000;
    const fine = points.filter(({ atMs }) => atMs >= nowMs - 300_000);
    assert.equal(fine.length, 151);
    assert.ok(points.length < 151 + 180 + 20, `${points.length} points`);
    assert.ok((points[0]?.atMs ?? 0) >= nowMs - 3_600_000 - 32_000);
    assert.equal(history.since(nowMs - 10_000, 'read_uncommitted', p0).length, 6);
  });

  it('of very many partitions is one of all together [G3]', () => {
    const history = new LagHistory();
    const many = (end: bigint): LagPosition[] =>
      Array.from({ length: 1001 }, (_, partition) => at(partition, 0n, end));
    history.add(0, many(1n));
    history.add(10_000, many(11n));
    assert.deepEqual(history.since(0, 'read_uncommitted', p0), []);
    assert.deepEqual(history.rates(), { produced: 1001, consumed: 0 });
  });
});

describe('the offsets between commit and end', () => {
  interface Shape {
    readonly offsets: readonly number[];
    readonly last?: number;
    readonly base?: number;
    readonly isControl?: boolean;
    readonly isAborted?: boolean;
  }
  let decoded = 0;
  const batch = ({ offsets, isControl = false, isAborted = false, ...ends }: Shape) => ({
    header: {
      baseOffset: BigInt(ends.base ?? offsets[0] ?? 0),
      lastOffset: BigInt(ends.last ?? offsets.at(-1) ?? 0),
      recordCount: offsets.length,
    } as BatchHeader,
    isControl,
    isAborted,
    *records(from = 0n) {
      decoded++;
      for (const offset of offsets) {
        if (BigInt(offset) >= from) yield { offset: BigInt(offset) } as KafkaRecord;
      }
    },
  });
  const tally = (from: bigint, to: bigint, shapes: readonly Shape[], isWhole = true) => {
    decoded = 0;
    const parts = new LagTally(from, to);
    for (const shape of shapes) parts.add(batch(shape));
    const { records, markers, aborted, gaps, unread } = parts.end(isWhole);
    assert.equal(records + markers + aborted + gaps + unread, to - from, 'parts add up to the lag');
    return { records, markers, aborted, gaps, unread };
  };
  const none = { records: 0n, markers: 0n, aborted: 0n, gaps: 0n, unread: 0n };

  it('are records, markers and aborted records by their batches, without a record being read [G2]', () => {
    const shapes = [
      { offsets: [10, 11, 12] },
      { offsets: [13], isControl: true },
      { offsets: [14, 15], isAborted: true },
      { offsets: [16], isControl: true },
    ];
    assert.deepEqual(tally(11n, 17n, shapes), { ...none, records: 2n, markers: 2n, aborted: 2n });
    assert.equal(decoded, 0);
  });

  it('are gaps between batches, inside of them, at the end, and where a batch is empty [G2]', () => {
    const shapes = [
      { offsets: [2, 4], base: 0, last: 4 },
      { offsets: [], base: 5, last: 6 },
      { offsets: [9] },
    ];
    assert.deepEqual(tally(0n, 12n, shapes), { ...none, records: 3n, gaps: 9n });
    assert.equal(decoded, 0);
  });

  it('are counted record by record in a batch with holes in which the group stands [G2]', () => {
    const shapes = [{ offsets: [1, 3, 6], base: 0, last: 7 }];
    assert.deepEqual(tally(2n, 8n, shapes), { ...none, records: 2n, gaps: 4n });
    assert.equal(decoded, 1);
    assert.deepEqual(tally(0n, 4n, shapes), { ...none, records: 2n, gaps: 2n });
  });

  it('are left open where the look was cut off [G2]', () => {
    assert.deepEqual(tally(0n, 100n, [{ offsets: [0, 1, 2] }], false), {
      ...none,
      records: 3n,
      unread: 97n,
    });
  });
});

describe('an alert on lag', () => {
  const thresholds = { records: 100n };
  const changes = (...lags: readonly (bigint | null)[]): (string | undefined)[] => {
    const alert = new LagAlert();
    return lags.map((records) => alert.update({ records, seconds: null }, thresholds)?.kind);
  };

  it('is told of once a crossing, and is over only well below the threshold [G3]', () => {
    assert.deepEqual(changes(99n, 100n, 150n, 95n, 101n, 79n, 90n, 100n), [
      undefined,
      'raised',
      undefined,
      undefined,
      undefined,
      'cleared',
      undefined,
      'raised',
    ]);
  });

  it('stays while the lag is not known [G3]', () => {
    assert.deepEqual(changes(null, 100n, null, 20n), [undefined, 'raised', undefined, 'cleared']);
  });

  it('goes by records or by seconds, whichever is first, and is over when both are [G3]', () => {
    const alert = new LagAlert();
    const both = { records: 100n, seconds: 60 };
    assert.deepEqual(alert.update({ records: 1n, seconds: 61 }, both), {
      kind: 'raised',
      reason: 'seconds',
    });
    assert.equal(alert.update({ records: 90n, seconds: 5 }, both), undefined);
    assert.equal(alert.isRaised, true);
    assert.deepEqual(alert.update({ records: 70n, seconds: 5 }, both), { kind: 'cleared' });
  });

  it('is over when its thresholds are taken away [G3]', () => {
    const alert = new LagAlert();
    alert.update({ records: 100n, seconds: null }, thresholds);
    assert.deepEqual(alert.update({ records: 100n, seconds: null }, {}), { kind: 'cleared' });
  });
});
