import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Emitter } from '../../../../src/base/event.ts';
import { LagHistory } from '../../../../src/cluster/lag/lagHistory.ts';
import type { LagSample, SampledPosition } from '../../../../src/cluster/lag/lagSampler.ts';
import type { ClusterProfile, Problem } from '../../../../src/cluster/model.ts';
import {
  type GroupSampler,
  type LagLease,
  type LagRaised,
  LagWatches,
} from '../../../../src/ui/panels/lagWatches.ts';
import type { LagWatch } from '../../../../src/shared/contracts/lag.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { FakeMemento, stagingProfile } from '../trees/fakeCluster.ts';

const noRates = { produced: null, consumed: null };
const everySecond = { sampleSeconds: 1, alertRecords: 0, alertSeconds: 0 };

function position(partition: number, lag: bigint, seconds?: number): SampledPosition {
  return {
    topic: 'orders',
    partition,
    committed: 0n,
    offsets: { value: { logStart: 0n, lastStable: lag, highWatermark: lag } },
    time:
      seconds === undefined
        ? { kind: 'unknown' }
        : { kind: 'known', lagMs: seconds * 1000, source: 'createTime', isAtLeast: false },
    rates: noRates,
  };
}

/** Finds what the test says there is. */
class ScriptedSampler implements GroupSampler {
  readonly history = new LagHistory();
  readonly #emitter = new Emitter<void>();
  readonly onDidSample = this.#emitter.event;
  latest: LagSample | undefined;
  problem: Problem | undefined;
  samples = 0;
  isDisposed = false;
  /** What the next samples find. */
  found: { state: string; positions: readonly SampledPosition[] } | Problem = {
    state: 'Stable',
    positions: [],
  };

  sample(): Promise<boolean> {
    this.samples++;
    const { found } = this;
    this.problem = 'message' in found ? found : undefined;
    if (!('message' in found)) {
      const details = {
        ...{ groupId: 'billing', state: found.state, type: 'classic', protocolType: 'consumer' },
        ...{ protocol: 'range', members: [], coordinator: 1 },
      };
      this.latest = { atMs: 0, details, positions: found.positions, rates: noRates };
    }
    this.#emitter.fire();
    return Promise.resolve(this.problem === undefined);
  }

  sampleAgain(): Promise<boolean> {
    return this.sample();
  }

  dispose(): void {
    this.isDisposed = true;
    this.#emitter.dispose();
  }
}

describe('the groups whose lag is watched', () => {
  const subject = { cluster: stagingProfile, group: 'billing' };
  let clock: ManualClock;
  let memento: FakeMemento;
  let profiles: ClusterProfile[];
  let registryChange: Emitter<void>;
  let made: ScriptedSampler[];
  let raised: LagRaised[];
  let settings: typeof everySecond;
  let watches: LagWatches;

  const start = (): LagWatches =>
    new LagWatches({
      registry: {
        profile: (id) => profiles.find((profile) => profile.id === id),
        onDidChange: registryChange.event,
      },
      memento,
      samplerOf: () => {
        const sampler = new ScriptedSampler();
        made.push(sampler);
        return sampler;
      },
      settings: () => settings,
      tell: (change) => raised.push(change),
      clock,
    });
  beforeEach(() => {
    clock = new ManualClock();
    memento = new FakeMemento();
    profiles = [stagingProfile];
    registryChange = new Emitter<void>();
    made = [];
    raised = [];
    settings = everySecond;
    watches = start();
  });
  afterEach(() => {
    watches.dispose();
    registryChange.dispose();
    assert.equal(clock.pendingTimers, 0);
    assert.ok(made.every(({ isDisposed }) => isDisposed));
  });

  const watch = async (of: Partial<LagWatch>): Promise<ScriptedSampler> => {
    await watches.setWatch(subject, { isWatched: true, records: null, seconds: null, ...of });
    return made.at(-1) ?? assert.fail();
  };
  /** A second, in steps, so that no sample seems to take long: what is slow is asked for less often. */
  const turn = async (): Promise<void> => {
    for (let step = 0; step < 10; step++) {
      clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const isAlarmed = (): boolean | undefined => watches.watched[0]?.isAlarmed;
  const finds = async (
    sampler: ScriptedSampler,
    ...positions: readonly SampledPosition[]
  ): Promise<boolean | undefined> => {
    sampler.found = { state: 'Stable', positions };
    await turn();
    return isAlarmed();
  };
  const told = (): unknown[] => raised.map(({ reason, now }) => [reason, now.records, now.seconds]);

  it('are told of when all partitions together reach the records, once, until well below [G3]', async () => {
    const sampler = await watch({ records: '100' });
    assert.equal(await finds(sampler, position(0, 60n), position(1, 39n)), false);
    assert.equal(await finds(sampler, position(0, 60n), position(1, 40n)), true);
    assert.equal(await finds(sampler, position(0, 500n)), true);
    assert.equal(await finds(sampler, position(0, 81n)), true);
    assert.equal(await finds(sampler, position(0, 79n)), false);
    assert.equal(await finds(sampler, position(0, 99n)), false);
    assert.equal(await finds(sampler, position(0, 100n)), true);
    assert.deepEqual(told(), [
      ['records', 100n, null],
      ['records', 100n, null],
    ]);
  });

  it('are told of when the partition that is longest behind reaches the seconds [G3]', async () => {
    const sampler = await watch({ seconds: 60 });
    assert.equal(await finds(sampler, position(0, 9n, 59), position(1, 9n, 2)), false);
    assert.equal(await finds(sampler, position(0, 9n, 2), position(1, 9n, 60)), true);
    assert.equal(await finds(sampler, position(0, 9n), position(1, 9n)), true);
    assert.equal(await finds(sampler, position(0, 9n, 47)), false);
    assert.deepEqual(told(), [['seconds', 18n, 60]]);
  });

  it('are behind no longer when the group is gone, but still where it cannot be read [G3]', async () => {
    const sampler = await watch({ records: '100', seconds: 60 });
    assert.equal(await finds(sampler, position(0, 100n)), true);
    sampler.found = { message: 'no broker answers' };
    await turn();
    assert.equal(isAlarmed(), true);
    sampler.found = { state: 'Dead', positions: [] };
    // It failed once, so it is asked half as often.
    await turn();
    await turn();
    assert.equal(isAlarmed(), false);
    assert.equal(raised.length, 1);
  });

  it('are behind no longer when nobody watches, also while they cannot be read [G3]', async () => {
    const lease = watches.acquire(subject);
    const sampler = await watch({ records: '100' });
    await finds(sampler, position(0, 100n));
    sampler.found = { message: 'no broker answers' };
    await turn();
    assert.equal(lease.isAlarmed, true);
    await watch({ isWatched: false, records: '100' });
    assert.equal(lease.isAlarmed, false);
    lease.dispose();
  });

  it('are sampled once, however many look, and by no one when nobody does [G3]', async () => {
    const leases = [watches.acquire(subject), watches.acquire(subject)];
    const setActive = (of: LagLease | undefined, isActive: boolean): void =>
      (of ?? assert.fail()).setActive(isActive);
    const sampler = made[0] ?? assert.fail();
    await turn();
    assert.equal(sampler.samples, 0);
    for (const lease of leases) setActive(lease, true);
    await turn();
    const { samples } = sampler;
    await turn();
    assert.equal(sampler.samples, samples + 1);
    setActive(leases[0], false);
    await turn();
    assert.equal(sampler.samples, samples + 2);
    setActive(leases[1], false);
    await turn();
    assert.equal(sampler.samples, samples + 2);
    assert.equal(made.length, 1);
    for (const lease of leases) lease.dispose();
    assert.equal(sampler.isDisposed, true);
  });

  it('go on after a reload, those of a cluster that is still there [G3]', async () => {
    await watch({ records: '7' });
    watches.dispose();
    watches = start();
    watches.resume();
    assert.deepEqual(
      watches.watched.map(({ subject: { group } }) => group),
      ['billing'],
    );
    profiles = [];
    registryChange.fire();
    assert.deepEqual(watches.watched, []);
    assert.equal(made.at(-1)?.isDisposed, true);
    watches.dispose();
    watches = start();
    watches.resume();
    assert.deepEqual(watches.watched, []);
  });

  it('a panel that outlives its cluster does not end what is sampled once it is there again', async () => {
    const old = watches.acquire(subject);
    profiles = [];
    registryChange.fire();
    profiles = [stagingProfile];
    const sampler = await watch({ records: '100' });
    old.dispose();
    assert.equal(sampler.isDisposed, false);
    assert.equal(watches.watched.length, 1);
  });

  it('have thresholds that a page can be told of, whatever the settings say', () => {
    settings = { sampleSeconds: 1, alertRecords: 1e300, alertSeconds: Infinity };
    const { isWatched, records, seconds } = watches.watchOf(subject);
    assert.deepEqual([isWatched, records, seconds], [false, '9007199254740991', 1_000_000_000]);
    settings = { sampleSeconds: 1, alertRecords: 0.5, alertSeconds: NaN };
    assert.deepEqual(watches.watchOf(subject).records, null);
    assert.deepEqual(watches.watchOf(subject).seconds, null);
  });
});
