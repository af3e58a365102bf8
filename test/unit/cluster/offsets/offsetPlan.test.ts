import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PartitionMap } from '../../../../src/client/partitionMap.ts';
import {
  type PartitionPosition,
  type PlannedOffset,
  planOffset,
  type PlanScenario,
} from '../../../../src/cluster/offsets/offsetPlan.ts';

const position: PartitionPosition = {
  topic: 'orders',
  partition: 0,
  committed: 6100n,
  logStart: 1000n,
  lastStable: 6667n,
  highWatermark: 6667n,
};

function plan(scenario: PlanScenario, change: Partial<PartitionPosition> = {}): PlannedOffset {
  const row = planOffset(scenario, { ...position, ...change });
  assert.ok('target' in row);
  return row;
}

const offset = (value: bigint): PlanScenario => ({ kind: 'offset', offset: value });
const shift = (by: bigint): PlanScenario => ({ kind: 'shift', by });
const current: PlanScenario = { kind: 'current' };
const given = <T>(value: T): PartitionMap<T> => {
  const offsets = new PartitionMap<T>();
  offsets.set('orders', 0, value);
  return offsets;
};
const time: PlanScenario = { kind: 'time', timestamp: 5n };

describe('the plan of a reset', () => {
  const targets: [string, PlanScenario, Partial<PartitionPosition>, bigint | null][] = [
    ['earliest is the log start', { kind: 'earliest' }, {}, 1000n],
    ['latest is the high watermark', { kind: 'latest' }, { lastStable: 6000n }, 6667n],
    ['an offset is itself', offset(6650n), {}, 6650n],
    ['the end is inside', offset(6667n), {}, 6667n],
    ['an offset before the log is its start', offset(3n), {}, 1000n],
    ['an offset past the log is its end', offset(9999n), {}, 6667n],
    ['a time is its first offset', time, { offsetForTime: 6200n }, 6200n],
    ['a time at offset 0 is offset 0', time, { logStart: 0n, offsetForTime: 0n }, 0n],
    ['a time after the last record is the end', time, { offsetForTime: null }, 6667n],
    ['a shift forward is from the commit', shift(20n), {}, 6120n],
    ['a shift back stops at the log start', shift(-9000n), {}, 1000n],
    ['a shift past the end stops there', shift(9000n), {}, 6667n],
    ['current is the commit', current, {}, 6100n],
    ['current stays out of range', current, { committed: 9999n }, 9999n],
    ['current without a commit is the end', current, { committed: null }, 6667n],
    ['a file is clamped', { kind: 'offsets', offsets: given(9999n) }, {}, 6667n],
    ['an earlier commit is not clamped', { kind: 'restore', offsets: given(9999n) }, {}, 9999n],
    ['an earlier lack of a commit is one', { kind: 'restore', offsets: given(null) }, {}, null],
    ['deletion leaves no commit', { kind: 'delete' }, {}, null],
  ];
  for (const [what, scenario, change, target] of targets) {
    it(`${what} [F1]`, () => assert.equal(plan(scenario, change).target, target));
  }

  const effects: [Partial<PartitionPosition>, bigint, string][] = [
    [{}, 6650n, 'skips up to 550 records'],
    [{}, 6101n, 'skips up to 1 record'],
    [{}, 4866n, 're-reads up to 1,234 records'],
    [{}, 6100n, 'stays where it is'],
    [{ committed: null }, 6615n, 'starts 52 before the end'],
    [{ committed: null }, 6667n, 'starts at the end'],
    [{ committed: 500n }, 1200n, 'skips up to 200 records'],
    [{ committed: 500n }, 1000n, 'skips nothing: there is no record between'],
    [{ committed: 9999n }, 6600n, 're-reads up to 67 records'],
    [{ committed: 9999n }, 6667n, 'comes back into the log'],
  ];
  for (const [change, target, effect] of effects) {
    const from = change.committed === null ? 'no commit' : (change.committed ?? 6100n);
    it(`from ${from} to ${target} ${effect} [F2]`, () => {
      assert.equal(plan(offset(target), change).effect, effect);
    });
  }

  it('has a delta only where there is a commit; offset 0 is one [F2]', () => {
    assert.equal(plan(offset(6650n)).delta, 550n);
    assert.equal(plan(offset(1000n), { committed: 0n }).delta, 1000n);
    assert.equal(plan(offset(6650n), { committed: null }).delta, null);
  });

  it('refuses a partition that a scenario says nothing about [F1]', () => {
    const other = { ...position, partition: 1, committed: null };
    const reason = 'there is no commit to shift';
    assert.deepEqual(planOffset(shift(1n), other), { topic: 'orders', partition: 1, reason });
    assert.ok('reason' in planOffset({ kind: 'offsets', offsets: given(7n) }, other));
  });

  it('says what a deletion and a commit out of range lead to [F2]', () => {
    assert.match(plan({ kind: 'delete' }).effect, /deletes the commit/);
    assert.equal(plan({ kind: 'delete' }, { committed: null }).effect, 'stays without a commit');
    assert.match(plan(current, { committed: 3n }).warning ?? '', /^3 is before the log's start/);
  });

  it('says where it had to clamp [F2]', () => {
    assert.equal(plan(offset(6650n)).warning, undefined);
    assert.equal(plan(offset(9999n)).warning, '9,999 is past the end: clamped to the end');
    assert.match(plan(offset(3n)).warning ?? '', /^3 is before the log's start/);
    assert.match(plan(time, { offsetForTime: null }).warning ?? '', /no record is that late/);
  });

  it('warns where it jumps over an open transaction [F2]', () => {
    const open = { lastStable: 6650n };
    assert.match(plan({ kind: 'latest' }, open).warning ?? '', /open transactions: up to 17 past/);
    assert.equal(plan(offset(6650n), open).warning, undefined);
    assert.equal(plan({ kind: 'earliest' }, open).warning, undefined);
  });

  it('is exact beyond 2^53 [F2]', () => {
    const huge = 2n ** 62n;
    const row = plan(offset(huge + 1n), { committed: huge, highWatermark: huge * 2n - 1n });
    assert.equal(row.delta, 1n);
  });
});
