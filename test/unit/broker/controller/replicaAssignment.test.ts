import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../../src/base/random.ts';
import { assignReplicas } from '../../../../src/broker/controller/replicaAssignment.ts';

describe('replica assignment', () => {
  for (const [brokerCount, factor] of [
    [1, 1],
    [3, 2],
    [3, 3],
    [5, 3],
  ] as const) {
    it(`spreads leaders and replicas evenly over ${brokerCount} brokers with factor ${factor}`, () => {
      for (let seed = 0; seed < 50; seed++) {
        const brokers = Array.from({ length: brokerCount }, (_, i) => i + 1);
        const count = brokerCount * (brokerCount - 1 || 1) * 2;
        const random = seededRandom(seed);
        const assigned = assignReplicas({ brokers, count, factor, random });
        assert.equal(assigned.length, count);
        const tally = (ids: number[]) =>
          brokers.map((id) => ids.filter((each) => each === id).length);
        for (const ids of assigned) {
          assert.equal(new Set(ids).size, factor);
          assert.ok(ids.every((id) => brokers.includes(id)));
        }
        const leaders = tally(assigned.map(([leader = 0]) => leader));
        assert.deepEqual(
          leaders,
          brokers.map(() => count / brokerCount),
          `seed ${seed}`,
        );
        const replicas = tally(assigned.flat());
        assert.deepEqual(
          replicas,
          brokers.map(() => (count * factor) / brokerCount),
          `seed ${seed}`,
        );
      }
    });
  }
});
