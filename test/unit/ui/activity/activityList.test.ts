import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ActivityEntry } from '../../../../src/cluster/activity/activityEntry.ts';
import { ActivityList } from '../../../../src/ui/activity/activityList.ts';
import { entryRow } from '../../../../src/ui/activity/activityRow.ts';
import { exactTime } from '../../../../src/ui/activity/activityTime.ts';
import {
  entryText,
  factLines,
  titleOf,
  undoneOf,
  undoWords,
} from '../../../../src/ui/activity/activityWords.ts';

const now = new Date(2026, 10, 30, 14, 3, 7).getTime();
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const undo = { kind: 'offsets', clusterId: 'k', group: 'billing', historyId: 'h' } as const;

let made = 0;

function entry(of: Partial<ActivityEntry> = {}): ActivityEntry {
  const startedAtMs = of.startedAtMs ?? now - 3 * minuteMs;
  return {
    version: 1,
    id: `${String(startedAtMs).padStart(15, '0')}-${made++}`,
    pid: 1,
    startedAtMs,
    endedAtMs: startedAtMs + 40,
    state: 'done',
    cluster: { id: 'c', name: 'staging' },
    change: { kind: 'resetOffsets', group: 'billing', summary: 'to earliest' },
    facts: {
      offsets: [
        { topic: 'orders', partition: 0, before: '6100', after: '0' },
        { topic: 'orders', partition: 1, before: null, after: '0' },
      ],
      undo,
    },
    ...of,
  };
}

function listOf(...entries: readonly ActivityEntry[]): ActivityList {
  return new ActivityList({ entries, entry: (id) => entries.find((each) => each.id === id) });
}

const rowOf = (of: ActivityEntry) => entryRow(of, { nowMs: now, isRunningHere: false });

describe('a row of the activity', () => {
  it('says what was done to what, how much, where and when, and to a screen reader that it can be undone [K1]', () => {
    const row = rowOf(entry());
    assert.equal(row.label, 'Reset billing');
    assert.equal(row.description, '2 min ago · to earliest · 2 partitions · staging');
    assert.equal(
      row.spoken,
      'Reset billing: to earliest, 2 partitions, staging, 2 min ago, can be undone',
    );
    assert.equal(row.context, 'entry done undoable');
  });

  it('says how far it is while it runs, and can be cancelled in its own window only', () => {
    const change = { kind: 'produce', topic: 'orders', from: 'template' } as const;
    const running = entry({
      state: 'running',
      change,
      facts: { progress: { done: 12_000, total: 50_000 } },
    });
    const here = entryRow(running, { nowMs: now, isRunningHere: true });
    assert.match(here.description, /^12,000 of 50,000 · running · .* · staging$/);
    assert.deepEqual([here.icon, here.context], ['loading~spin', 'entry running cancellable']);
    assert.equal(rowOf(running).context, 'entry running');
  });

  it('says why it failed, and offers to try again what can be asked for again', () => {
    const problem = { message: 'a topic needs a name' };
    const change = { kind: 'startCluster' } as const;
    const row = rowOf(entry({ state: 'failed', problem, change, facts: {} }));
    assert.match(row.description, / · failed: a topic needs a name · staging$/);
    assert.deepEqual([row.icon, row.context], ['error', 'entry failed retryable']);
    const facts = factLines(entry({ state: 'failed', problem, facts: {} }));
    assert.equal(facts.at(-1), problem.message, 'nothing was done, so nothing is to be undone');
  });

  it('is told apart once it was undone, and cannot be undone again [F5]', () => {
    const row = rowOf(entry({ undoneBy: '000000000000001-x' }));
    assert.match(row.description, / · undone · /);
    assert.deepEqual([row.icon, row.context], ['discard', 'entry done']);
    const undoing = rowOf(entry({ undoes: { id: '000000000000001-x', title: 'Reset' } }));
    assert.equal(undoing.label, 'Undo: Reset');
  });

  it('is told apart from the reset that it undoes, also in a narrow view [F5]', () => {
    const reset = entry();
    const undoing = rowOf(entry({ undoes: undoneOf(reset) }));
    assert.equal(undoing.label, 'Undo of reset billing');
    assert.match(undoing.spoken, /^Undo: Reset billing: to earliest, 2 partitions/);
    const back = rowOf(
      entry({ undoes: undoneOf(entry({ change: { kind: 'deleteGroup', group: 'audit' } })) }),
    );
    assert.equal(back.label, 'Undo: Delete group audit');
  });

  it('is a redo, by that name everywhere, where an undo is taken back, and an undo again after that [F5]', () => {
    const reset = entry();
    const undone = entry({ undoes: undoneOf(reset) });
    assert.equal(rowOf(undone).context, 'entry done redoable');
    assert.match(rowOf(undone).spoken, /, can be redone$/);
    assert.equal(factLines(undone).at(-1), 'It can be redone.');
    const redone = entry({ undoes: undoneOf(undone) });
    assert.equal(titleOf(redone), 'Redo: Reset billing: to earliest');
    assert.equal(rowOf(redone).label, 'Redo of reset billing');
    assert.equal(rowOf(redone).context, 'entry done undoable');
    assert.equal(
      titleOf({ ...undone, undoes: undoneOf(redone) }),
      'Undo: Reset billing: to earliest',
    );
    assert.match(rowOf({ ...undone, undoneBy: redone.id }).description, / · redone · /);
  });

  it('says, where it is to be chosen, what its undo would bring back [F5]', () => {
    assert.equal(undoWords(entry()), 'orders-0: 0 → 6,100 · orders-1: 0 → no commit');
    const offsets = [0, 1, 2, 3].map((partition) => {
      return { topic: 'o', partition, before: '1', after: '2' };
    });
    assert.match(
      undoWords(entry({ facts: { undo, offsets, moreOffsets: 7 } })),
      / · 8 partitions more$/,
    );
    const before = { id: 'c', kind: 'remote', name: 'staging', readOnly: false } as const;
    const connection = { ...before, bootstrap: ['kafka:9092'] };
    const removed = entry({ facts: { undo: { kind: 'connection', before: connection } } });
    assert.equal(undoWords(removed), 'Brings staging back, at kafka:9092');
  });

  it('has the exact facts: each commit before and after, when, and whether it can be undone [F5]', () => {
    assert.deepEqual(factLines(entry()), [
      'Cluster: staging',
      `Began: ${exactTime(now - 3 * minuteMs)}`,
      'Took: 40ms',
      'Amount: 2 partitions',
      'orders-0: 6,100 → 0',
      'orders-1: no commit → 0',
      'It can be undone.',
    ]);
    assert.deepEqual(factLines(entry(), 1).slice(4, 6), [
      'orders-0: 6,100 → 0',
      '1 partition more',
    ]);
  });

  it('says of what cannot be undone why', () => {
    const change = { kind: 'deleteTopics', topics: ['orders', 'payments'], count: 2 } as const;
    const deleted = entry({ change: { ...change, topics: [...change.topics] }, facts: {} });
    assert.equal(rowOf(deleted).label, 'Delete 2 topics');
    assert.deepEqual(factLines(deleted).slice(-3), [
      'orders',
      'payments',
      'It cannot be undone: the records are gone.',
    ]);
    const interrupted = factLines(entry({ state: 'interrupted', facts: {} }));
    assert.match(interrupted.join('\n'), /window closed before this ended/);
  });

  it('is copied whole', () => {
    assert.match(
      entryText(entry()),
      /^Reset billing: to earliest: done\n {2}Cluster: staging\n(?: {2}.*\n)+ {2}It can be undone\.$/,
    );
  });
});

describe('the list of activity', () => {
  const older = entry({ startedAtMs: now - dayMs });
  const oldest = entry({ startedAtMs: now - 3 * dayMs });
  const newest = entry({
    cluster: { id: 'p', name: 'prod' },
    change: { kind: 'deleteGroup', group: 'audit' },
  });

  it('is in days, the newest first, with the partitions of each below [K1]', () => {
    const list = listOf(newest, older, oldest);
    const days = list.children();
    assert.deepEqual(
      days.map((row) => (row.kind === 'day' ? row.day : '')),
      ['2026-11-30', '2026-11-29', '2026-11-27'],
    );
    const [row] = list.children(days[1]);
    assert.ok(row?.kind === 'entry');
    assert.equal(row.activityId, older.id);
    assert.deepEqual(
      list.children(row).map((fact) => (fact.kind === 'fact' ? fact.text : '')),
      ['orders-0: 6,100 → 0', 'orders-1: no commit → 0'],
    );
    assert.equal(list.parent(row), days[1]);
  });

  it('has the same rows after a change, so that what is selected stays so', () => {
    const list = listOf(newest, older);
    const before = list.children().flatMap((day) => list.children(day));
    assert.deepEqual(
      list.children().flatMap((day) => list.children(day)),
      before,
    );
    assert.ok(before.every((row, i) => list.children(list.children()[i])[0] === row));
  });

  it('is filtered by words of the change, its cluster, topic and how it ended', () => {
    const failed = entry({ state: 'failed', problem: { message: 'connection refused' } });
    const list = listOf(newest, failed, older);
    const shown = (filter: string): readonly ActivityEntry[] => {
      list.filter = filter;
      return list.shown;
    };
    assert.deepEqual(shown('PROD audit'), [newest]);
    assert.deepEqual(shown('failed refused'), [failed]);
    assert.deepEqual(shown('orders'), [newest, failed, older]);
    assert.deepEqual(shown('payments'), []);
    assert.deepEqual(list.children(), []);
    assert.equal(shown('').length, 3);
  });
});
