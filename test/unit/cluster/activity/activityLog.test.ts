import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { CancelledError } from '../../../../src/client/kafkaError.ts';
import {
  type ActivityEntry,
  isUndoable,
  offsetsKept,
} from '../../../../src/cluster/activity/activityEntry.ts';
import { ActivityFiles } from '../../../../src/cluster/activity/activityFiles.ts';
import { ActivityLog, entriesKept } from '../../../../src/cluster/activity/activityLog.ts';
import type {
  Change,
  NewFacts,
  OffsetChange,
  Undo,
} from '../../../../src/cluster/activity/change.ts';
import type { RunningChange } from '../../../../src/cluster/activity/changeLog.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const cluster = { id: 'c', name: 'staging' };
const createTopic = {
  kind: 'createTopic',
  topic: 'orders',
  partitionCount: 3,
  replicationFactor: -1,
} as const;
const reset: Change = { kind: 'resetOffsets', group: 'billing', summary: 'to earliest' };
const undo: Undo = { kind: 'offsets', clusterId: 'k', group: 'billing', historyId: 'h' };
const moved: OffsetChange = { topic: 'orders', partition: 0, before: '9', after: '0' };
const refused: OffsetChange = {
  topic: 'orders',
  partition: 1,
  before: null,
  after: null,
  problem: 'no',
};
const nothing = (): Promise<void> => Promise.resolve();
/** Work that tells of itself, and is done. */
const noting =
  (facts: NewFacts) =>
  ({ note }: RunningChange): Promise<void> => {
    note(facts);
    return Promise.resolve();
  };

describe('the log of activity', () => {
  let folder: string;
  let clock: ManualClock;
  let log: ActivityLog;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'activity-'));
    clock = new ManualClock(1_000_000);
    log = window();
  });
  afterEach(async () => {
    await log.flush();
    await rm(folder, { recursive: true, force: true });
  });

  /** A window of the editor, of a process that lives. */
  function window(pid = 1, isAlive = (): boolean => true): ActivityLog {
    const store = new ActivityFiles(folder);
    return new ActivityLog({ store, logger: silentLogger, pid, isAlive, clock });
  }

  /** A window that has read the files, and takes what was in them once the gate is open. */
  function slowWindow(): Record<'read' | 'gate', PromiseWithResolvers<undefined>> & {
    slow: ActivityLog;
  } {
    const [read, gate] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    class SlowFiles extends ActivityFiles {
      override async load(most: number): Promise<ActivityEntry[]> {
        const found = await super.load(most);
        read.resolve(undefined);
        await gate.promise;
        return found;
      }
    }
    const slow = new ActivityLog({
      ...{ store: new SlowFiles(folder), logger: silentLogger, clock },
      ...{ pid: 3, isAlive: () => true },
    });
    return { slow, read, gate };
  }

  async function reloaded(): Promise<ActivityLog> {
    await log.flush();
    const next = window(2);
    await next.load();
    return next;
  }

  it('has a change from its beginning to its end, and has it after a reload [F5]', async () => {
    const end = Promise.withResolvers<string>();
    const done = log.run({ cluster, change: createTopic }, () => end.promise);
    assert.equal(log.entries[0]?.state, 'running');
    clock.advance(250);
    end.resolve('made');
    assert.equal(await done, 'made');
    const [entry] = (await reloaded()).entries;
    assert.deepEqual([entry?.change, entry?.cluster, entry?.state], [createTopic, cluster, 'done']);
    assert.deepEqual([entry?.startedAtMs, entry?.endedAtMs], [1_000_000, 1_000_250]);
  });

  it('keeps why something failed, which fails all the same', async () => {
    const failure = new Error('the disk is full');
    const work = (): Promise<void> => Promise.reject(failure);
    await assert.rejects(log.run({ cluster, change: createTopic }, work), (e) => e === failure);
    const [entry] = (await reloaded()).entries;
    assert.deepEqual([entry?.state, entry?.problem?.message], ['failed', 'the disk is full']);
  });

  it('cancels what runs, from the list or by whoever asked for it, and keeps how far it came', async () => {
    const untilAborted = ({ signal, note }: RunningChange): Promise<void> => {
      note({ progress: { done: 1200, total: 5000 } });
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('whatever the work says')));
      });
    };
    const change = { kind: 'produce', topic: 'orders', from: 'template' } as const;
    const asker = new AbortController();
    const first = log.run({ cluster, change }, untilAborted);
    const second = log.run({ cluster, change, signal: asker.signal }, untilAborted);
    const id = log.entries[1]?.id ?? '';
    assert.equal(log.isRunningHere(id), true);
    log.cancel(id);
    asker.abort();
    await assert.rejects(first, CancelledError);
    await assert.rejects(second, CancelledError);
    const { entries } = await reloaded();
    assert.deepEqual(
      entries.map(({ state, facts }) => [state, facts.progress?.done]),
      [
        ['cancelled', 1200],
        ['cancelled', 1200],
      ],
    );
  });

  it('tells of progress at most once in a while, and of the last', async () => {
    const told: (string | undefined)[] = [];
    const end = Promise.withResolvers<RunningChange>();
    const running = Promise.withResolvers<RunningChange>();
    const done = log.run({ cluster, change: createTopic }, (of) => {
      running.resolve(of);
      return end.promise;
    });
    const { note } = await running.promise;
    log.onDidChange((id) => told.push(id));
    for (let i = 1; i <= 100; i++) note({ progress: { done: i, total: 100 } });
    assert.deepEqual(told, []);
    clock.advance(250);
    const [entry] = log.entries;
    assert.deepEqual([told, entry?.facts.progress?.done], [[entry?.id], 100]);
    end.resolve(await running.promise);
    await done;
  });

  it('tells of a new list when a change begins, and of the one change when it ends or is taken back [K1]', async () => {
    await log.load();
    const told: (string | undefined)[] = [];
    await log.run({ cluster, change: reset }, noting({ offsets: [moved], undo }));
    const [first] = log.entries;
    log.onDidChange((id) => told.push(id));
    const undoes = { id: first?.id ?? '', kind: 'resetOffsets', title: 'Reset' } as const;
    await log.run({ cluster, change: reset, undoes }, nothing);
    const [second] = log.entries;
    assert.deepEqual(told, [undefined, second?.id, first?.id]);
  });

  it('tells of what other windows did when it looks again, and of nothing where nothing is new [K1]', async () => {
    await log.run({ cluster, change: createTopic }, nothing);
    const other = await reloaded();
    let told = 0;
    other.onDidChange(() => told++);
    await other.load();
    assert.equal(told, 0);
    await log.run({ cluster, change: createTopic }, nothing);
    await log.flush();
    await other.load();
    assert.deepEqual([told, other.entries.length], [1, 2]);
  });

  it('says of a group of which some partitions were refused that it is so in part, of all that it failed [F4]', async () => {
    const noted = (offsets: OffsetChange[]): Promise<void> =>
      log.run({ cluster, change: reset }, noting({ offsets }));
    await noted([moved, refused]);
    await noted([refused]);
    await noted([moved]);
    assert.deepEqual(
      log.entries.map(({ state, problem }) => [state, problem?.message]),
      [
        ['done', undefined],
        ['failed', 'no'],
        ['partly', 'no'],
      ],
    );
  });

  it('knows what can be undone, once, and what an undo that was refused leaves so [F5]', async () => {
    await log.run({ cluster, change: reset }, noting({ undo }));
    const [before] = log.entries;
    assert.ok(before && isUndoable(before));
    const undoes = { id: before.id, title: 'the reset' };
    const undone = (offsets: OffsetChange[]): Promise<void> =>
      log.run({ cluster, change: reset, undoes }, noting({ offsets, undo }));
    await undone([moved, refused]);
    assert.ok(isUndoable(log.entry(before.id) ?? before));
    await undone([moved]);
    const { entries } = await reloaded();
    assert.deepEqual(entries.map(isUndoable), [true, true, false]);
    assert.equal(entries[2]?.undoneBy, entries[0]?.id);
    assert.deepEqual(entries[0]?.undoes, undoes);
  });

  it('knows of an undo that was made in the panel, which has the same history [F5]', async () => {
    const noted = (facts: NewFacts): Promise<void> =>
      log.run({ cluster, change: reset }, noting(facts));
    await noted({ undo });
    await noted({ offsets: [moved], undo: { ...undo, historyId: 'i' }, restores: 'h' });
    const [panel, before] = log.entries;
    assert.equal(before?.undoneBy, panel?.id);
    assert.equal(panel?.undoneBy, undefined);
  });

  it('names so many partitions of a large group, and counts the others', async () => {
    const offsets = Array.from({ length: offsetsKept + 7 }, (_, partition) => ({
      ...moved,
      partition,
    }));
    await log.run({ cluster, change: reset }, noting({ offsets }));
    const [entry] = (await reloaded()).entries;
    assert.deepEqual([entry?.facts.offsets?.length, entry?.facts.moreOffsets], [offsetsKept, 7]);
  });

  it('knows what other windows did, what runs in them, and what was cut short with them', async () => {
    const other = window(7);
    await other.run({ cluster, change: createTopic }, nothing);
    const forever = new Promise<void>(() => undefined);
    void other.run({ cluster, change: reset }, () => forever);
    await other.flush();
    await log.load();
    const states = (of: ActivityLog): string[] => of.entries.map(({ state }) => state);
    assert.deepEqual(states(log), ['running', 'done']);
    assert.equal(log.isRunningHere(log.entries[0]?.id ?? ''), false);
    const later = window(8, () => false);
    await later.load();
    assert.deepEqual(states(later), ['interrupted', 'done']);
  });

  it('does not bring back what is forgotten while the list is read', async () => {
    await log.run({ cluster, change: createTopic }, nothing);
    await log.flush();
    const { slow, read, gate } = slowWindow();
    const loading = slow.load();
    await read.promise;
    const [{ id }] = log.entries as [ActivityEntry];
    await slow.remove([id]);
    gate.resolve(undefined);
    await loading;
    assert.deepEqual(slow.entries, []);
  });

  it('knows what was kept when it is asked to read, also where it was reading already', async () => {
    await log.run({ cluster, change: createTopic }, nothing);
    await log.flush();
    const { slow, read, gate } = slowWindow();
    const early = slow.load();
    await read.promise;
    await log.run({ cluster, change: reset }, nothing);
    await log.flush();
    const late = slow.load();
    gate.resolve(undefined);
    await early;
    assert.equal(slow.entries.length, 1);
    await late;
    assert.equal(slow.entries.length, 2);
  });

  it('forgets what is asked for in every window, but not what runs', async () => {
    const other = window(7);
    await log.run({ cluster, change: createTopic }, nothing);
    const end = Promise.withResolvers<undefined>();
    const running = log.run({ cluster, change: reset }, () => end.promise);
    await log.flush();
    await other.load();
    assert.equal(other.entries.length, 2);
    await log.remove(log.entries.map(({ id }) => id));
    await other.load();
    for (const { entries } of [log, other]) {
      assert.deepEqual(
        entries.map(({ change }) => change.kind),
        ['resetOffsets'],
      );
    }
    end.resolve(undefined);
    await running;
  });

  it('keeps the newest, and their files, and no others', async () => {
    for (let i = 0; i < entriesKept + 5; i++) {
      const change = { ...createTopic, topic: `t-${i}` };
      await log.run({ cluster, change }, nothing);
    }
    await log.flush();
    const { entries } = await reloaded();
    const topicOf = (change: Change | undefined): string =>
      change?.kind === 'createTopic' ? change.topic : '';
    assert.equal(entries.length, entriesKept);
    assert.deepEqual(
      [topicOf(entries[0]?.change), topicOf(entries.at(-1)?.change)],
      [`t-${entriesKept + 4}`, 't-5'],
    );
    assert.equal((await readdir(folder)).length, entriesKept);
  });

  it('leaves out what is damaged or of another version', async () => {
    await log.run({ cluster, change: createTopic }, nothing);
    await log.flush();
    const id = '000000000000001-x';
    await writeFile(path.join(folder, `${id}.json`), JSON.stringify({ version: 2, id }));
    await writeFile(path.join(folder, '000000000000002-x.json'), '{"version":1');
    await writeFile(path.join(folder, 'notes.txt'), 'mine');
    assert.equal((await reloaded()).entries.length, 1);
    assert.ok((await readdir(folder)).includes('notes.txt'));
  });

  it('lists once what several windows see', async () => {
    const other = window(7);
    const work = (): Promise<void> => Promise.reject(new Error('it ended'));
    const request = { cluster, change: { kind: 'clusterFailed' }, once: 'crash-1' } as const;
    const both = [log, other].map((each) => assert.rejects(each.run(request, work), /it ended/));
    await Promise.all(both);
    await Promise.all([log.flush(), other.flush()]);
    await Promise.all([log.load(), other.load()]);
    assert.deepEqual([log.entries.length, other.entries.length], [1, 1]);
    assert.equal(log.entries[0]?.state, 'failed');
    await assert.rejects(log.run({ ...request, once: 'crash-2' }, work));
    assert.equal(log.entries.length, 2);
  });

  it('stops nobody where it cannot be kept', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'no folder');
    assert.equal(await log.run({ cluster, change: createTopic }, () => Promise.resolve(1)), 1);
    assert.equal(log.entries[0]?.state, 'done');
  });
});
