import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, it } from 'mocha';
import { silentLogger } from '../../src/base/logger.ts';
import { commitGroupOffsets, fetchGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { CancelledError } from '../../src/client/kafkaError.ts';
import { valueOf } from '../../src/client/outcome.ts';
import { type ActivityEntry, isUndoable } from '../../src/cluster/activity/activityEntry.ts';
import { ActivityFiles } from '../../src/cluster/activity/activityFiles.ts';
import { ActivityLog } from '../../src/cluster/activity/activityLog.ts';
import { type OffsetsUndo, planOffsetsUndo } from '../../src/cluster/activity/offsetsUndo.ts';
import { ClusterSession } from '../../src/cluster/clusterSession.ts';
import {
  deleteAndKeep,
  historyKey,
  type KeptGroup,
  resetAndKeep,
} from '../../src/cluster/offsets/keptReset.ts';
import { OffsetHistory } from '../../src/cluster/offsets/offsetHistory.ts';
import { produceAll } from '../../src/cluster/produce/produceJob.ts';
import { forEachCluster, uniqueName } from './clusters.ts';

forEachCluster('the activity', (cluster) => {
  let folder: string;
  let log: ActivityLog;
  let session: ClusterSession;
  let history: OffsetHistory;
  let topic: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'activity-'));
    history = new OffsetHistory({ folder: path.join(folder, 'history') });
    log = new ActivityLog({
      store: new ActivityFiles(path.join(folder, 'activity')),
      logger: silentLogger,
      pid: process.pid,
      isAlive: () => true,
    });
    session = sessionWith({ readOnly: false });
    topic = uniqueName('activity');
    await session.createTopic({ name: topic, partitionCount: 2, replicationFactor: -1 });
  });
  after(async () => {
    session.dispose();
    await log.flush();
    await rm(folder, { recursive: true });
  });

  function sessionWith({ readOnly }: { readonly readOnly: boolean }): ClusterSession {
    const { name, bootstrap } = cluster();
    const profile = { id: name, name, kind: 'remote', bootstrap: [bootstrap], readOnly } as const;
    return new ClusterSession(profile, { changes: log });
  }

  /** A group that committed 4 with metadata on partition 0, and nothing on partition 1. */
  async function newGroup(): Promise<KeptGroup> {
    const group = uniqueName('group');
    await commit(group, 4n, 'kept');
    return { session, group, history };
  }

  const commit = (group: string, offset: bigint, metadata: string): Promise<unknown> =>
    session.use((client) =>
      commitGroupOffsets(client, group, [
        { topic, partition: 0, offset, leaderEpoch: 0, metadata },
      ]),
    );

  async function committed(group: string): Promise<string[]> {
    const groups = await session.use((client) => fetchGroupOffsets(client, [group]));
    const outcome = groups.get(group);
    assert.ok(outcome);
    return [...valueOf(outcome)].map(({ partition, value }) => {
      const { offset, metadata } = valueOf(value);
      return `${partition}: ${offset} ${metadata}`.trim();
    });
  }

  const toStart = (group: KeptGroup): ReturnType<typeof resetAndKeep> =>
    resetAndKeep(group, {
      summary: 'to earliest',
      rows: [
        { topic, partition: 0, committed: 4n, target: 0n },
        { topic, partition: 1, committed: null, target: 0n },
      ],
    });

  function newest(): ActivityEntry {
    const [entry] = log.entries;
    assert.ok(entry);
    return entry;
  }

  async function planOf({ group }: KeptGroup, entry: ActivityEntry): Promise<OffsetsUndo> {
    const { undo, offsets = [] } = entry.facts;
    assert.ok(undo?.kind === 'offsets');
    assert.equal(undo.clusterId, (await historyKey({ session, group })).clusterId);
    const earlier = await history.load(undo, undo.historyId);
    return planOffsetsUndo(session, group, { earlier, left: offsets });
  }

  async function undo(kept: KeptGroup, entry: ActivityEntry): Promise<void> {
    const { rows } = await planOf(kept, entry);
    const undoes = { id: entry.id, title: 'it' };
    await resetAndKeep(kept, { rows, summary: 'to before a change', undoes });
  }

  it('has a reset with each commit before and after, undoes it with its metadata, and the undo as well [F5]', async () => {
    const kept = await newGroup();
    await toStart(kept);
    const reset = newest();
    assert.deepEqual([reset.state, reset.change.kind], ['done', 'resetOffsets']);
    assert.deepEqual(reset.facts.offsets, [
      { topic, partition: 0, before: '4', after: '0' },
      { topic, partition: 1, before: null, after: '0' },
    ]);
    assert.deepEqual(await committed(kept.group), ['0: 0 kept', '1: 0']);
    const { changedSince, unknownCount } = await planOf(kept, reset);
    assert.deepEqual([changedSince, unknownCount], [[], 0]);
    await undo(kept, reset);
    assert.deepEqual(await committed(kept.group), ['0: 4 kept']);
    assert.equal(log.entry(reset.id)?.undoneBy, newest().id);
    await undo(kept, newest());
    assert.deepEqual(await committed(kept.group), ['0: 0 kept', '1: 0']);
  });

  it('tells before an undo what somebody has committed since, which it would lose [F5]', async () => {
    const kept = await newGroup();
    await toStart(kept);
    const reset = newest();
    await commit(kept.group, 9n, 'theirs');
    const { rows, changedSince } = await planOf(kept, reset);
    assert.deepEqual(changedSince, [{ topic, partition: 0, left: 0n, now: 9n }]);
    await commit(kept.group, 10n, 'theirs');
    await assert.rejects(
      resetAndKeep(kept, { rows, summary: 'undo', undoes: { id: reset.id, title: 'it' } }),
      /has changed since this was planned: 9 then, 10 now/,
    );
    assert.deepEqual(await committed(kept.group), ['0: 10 theirs', '1: 0']);
    assert.equal(newest().state, 'failed');
    assert.ok(isUndoable(log.entry(reset.id) ?? reset));
  });

  it('brings a deleted group back with its commits and their metadata [F5]', async () => {
    const kept = await newGroup();
    await deleteAndKeep(kept);
    const deletion = newest();
    assert.deepEqual(deletion.facts.offsets, [{ topic, partition: 0, before: '4', after: null }]);
    assert.deepEqual(await committed(kept.group), []);
    await undo(kept, deletion);
    assert.deepEqual(await committed(kept.group), ['0: 4 kept']);
    const groups = await session.groups();
    assert.equal(groups.find(({ groupId }) => groupId === kept.group)?.state, 'Empty');
  });

  it('offers no undo of a deletion that Kafka refused, and keeps what it said', async () => {
    const kept = { session, history, group: uniqueName('nobody') };
    await assert.rejects(
      deleteAndKeep(kept),
      /does not exist|could not be found|GROUP_ID_NOT_FOUND/,
    );
    const refused = newest();
    assert.deepEqual([refused.state, isUndoable(refused)], ['failed', false]);
    assert.match(refused.problem?.message ?? '', /group/i);
  });

  it('has one entry of many records, and cancels them from the list [E2]', async () => {
    const change = { kind: 'produce', topic, from: 'template' } as const;
    const sending = session.change(change, (client, { signal, note }) =>
      produceAll(client, endless(), {
        topic,
        perSecond: null,
        signal,
        onProgress: (done) => note({ progress: { done, total: null } }),
      }),
    );
    const { id } = newest();
    const cancelled = assert.rejects(sending, CancelledError);
    const told = log.onDidChange((changed) => {
      if (changed === id) log.cancel(id);
    });
    await cancelled;
    told.dispose();
    const entry = log.entry(id);
    assert.equal(entry?.state, 'cancelled');
    const rows = await session.partitions(topic);
    const written = rows.reduce(
      (sum, { offsets }) => sum + ('value' in offsets ? offsets.value.highWatermark : 0n),
      0n,
    );
    assert.ok(BigInt(entry.facts.progress?.done ?? 0) > 0n);
    assert.ok(written >= BigInt(entry.facts.progress?.done ?? 0));
  });

  it('has nothing of what a cluster marked read-only refuses, undo as any other change', async () => {
    const kept = await newGroup();
    await toStart(kept);
    const reset = newest();
    const readOnly = sessionWith({ readOnly: true });
    try {
      const { rows } = await planOf(kept, reset);
      const undoes = { id: reset.id, title: 'it' };
      await assert.rejects(
        resetAndKeep({ ...kept, session: readOnly }, { rows, summary: 'undo', undoes }),
        /read-only/,
      );
      assert.equal(newest().id, reset.id);
    } finally {
      readOnly.dispose();
    }
  });
});

function* endless(): Generator<{ partition: null; key: null; value: Buffer; headers: [] }> {
  for (;;) yield { partition: null, key: null, value: Buffer.from('v'), headers: [] };
}
