import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import {
  type GroupSnapshot,
  offsetsHost,
  offsetsView,
  type PlanRow,
  type ResetScenario,
} from '../../src/shared/contracts/offsets.ts';
import { startByKeys } from '../support/panels/clusterDown.ts';
import { faultsOfControls, pointerPresses } from '../support/panels/controls.ts';
import type { Keys } from '../support/panels/keys.ts';
import { openRecorded, type RecordedPanel } from '../support/panels/recordedPanel.ts';

const partition = (topic: string, index: number): GroupSnapshot['partitions'][number] => ({
  ...{ topic, partition: index, committed: '60', metadata: '' },
  ...{ logStart: '0', end: '100', lag: '40' },
});

const group: GroupSnapshot = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  group: 'billing',
  state: 'Empty',
  resettable: true,
  members: [],
  partitions: [partition('orders', 0), partition('orders', 1), partition('payments', 0)],
  topics: [
    { name: 'orders', partitionCount: 2 },
    { name: 'payments', partitionCount: 1 },
    { name: 'refunds', partitionCount: 1 },
  ],
  canRemoveMembers: true,
};

const active: GroupSnapshot = {
  ...group,
  state: 'Stable',
  resettable: false,
  members: [{ memberId: 'm-1', clientId: 'at-work', host: '/10.0.0.7', partitions: [] }],
};

const planned = (topic: string, index: number): PlanRow => ({
  ...{ topic, partition: index, committed: '60', end: '100' },
  ...{ target: '7', delta: '-53', effect: 're-reads up to 53 records' },
});

const entry = (id: string, summary: string) => ({
  ...{ id, summary, savedAtMs: 1_795_930_987_482, partitionCount: 3 },
});

/** What only a pointer uses, and what does the same by the keyboard. */
const pointerOnly = { tr: 'the focus in one of its fields' };

describe('The offsets panel by the keyboard alone', function () {
  this.timeout(120_000);
  let panel: RecordedPanel<typeof offsetsHost, typeof offsetsView>;
  let page: Page;
  let keys: Keys;

  before(async () => {
    panel = await openRecorded({
      name: 'offsets',
      serves: offsetsHost,
      calls: offsetsView,
      answers: {
        ready: () => ({ group }),
        load: () => ({ group }),
        plan: ({ scope }) => ({
          rows: scope.map((of) => planned(of.topic, of.partition)),
          refused: [],
        }),
        apply: ({ rows }) => ({
          cancelled: false,
          results: rows.map(({ topic, partition: index, target }) => ({
            ...{ topic, partition: index, committed: target },
          })),
          undo: entry('1', 'to offset'),
        }),
        look: () => ({ facts: { count: 53 } }),
        history: () => ({ entries: [entry('1', 'to offset'), entry('2', 'to latest')] }),
        topics: () => ({ topics: [...group.topics] }),
        groups: () => ({ groups: [{ name: 'audit', state: 'Empty' }] }),
        importCsv: () => ({ offsets: [{ topic: 'orders', partition: 0, offset: '3' }] }),
      },
    });
    ({ page, keys } = panel);
    await page.getByRole('button', { name: 'Reset 3 partitions' }).waitFor();
  });

  after(async () => {
    const problems = [...panel.problems];
    await panel.close();
    assert.deepEqual(problems, []);
  });

  const scenario = (): Locator => page.getByRole('combobox', { name: 'Scenario' });
  const box = (name: string): Locator => page.getByRole('combobox', { name, exact: true });
  const target = (of: string): Locator =>
    page.getByRole('textbox', { name: `New offset of ${of}`, exact: true });
  /** The scenario that the host was asked to plan by last, once it is so. */
  async function untilPlanned(wanted: ResetScenario): Promise<void> {
    const text = JSON.stringify(wanted);
    for (;;) {
      const asked = (await panel.next('plan')) as { scenario: ResetScenario };
      if (JSON.stringify(asked.scenario) === text) return;
    }
  }

  async function untilPlannedFor(kind: ResetScenario['kind']): Promise<void> {
    for (;;) {
      const asked = (await panel.next('plan')) as { scenario: ResetScenario };
      if (asked.scenario.kind === kind) return;
    }
  }

  const functions: readonly (readonly [title: string, act: () => Promise<unknown>])[] = [
    [
      'comes to every control, with names and a sign of the focus',
      async () => assert.deepEqual(await faultsOfControls(page, { pointerOnly }), []),
    ],
    [
      'chooses every scenario, and what stands beside it',
      async () => {
        for (const [name, wanted] of [
          ['to latest', { kind: 'latest' }],
          ['to current', { kind: 'current' }],
          ['delete offsets', { kind: 'delete' }],
          ['to earliest', { kind: 'earliest' }],
        ] as const) {
          await keys.select(scenario(), name);
          await untilPlanned(wanted);
        }
        // What is asked for with a scenario has the focus then.
        const field = page.locator('.scenario-value:focus');
        await keys.select(scenario(), 'to offset');
        await field.waitFor();
        await keys.type('7');
        await untilPlanned({ kind: 'offset', offset: '7' });
        await keys.select(scenario(), 'shift by');
        await field.waitFor();
        await keys.type('-3');
        await untilPlanned({ kind: 'shift', by: '-3' });
        await keys.select(scenario(), 'by duration');
        await field.waitFor();
        await keys.type('1h');
        await untilPlanned({ kind: 'duration', agoMs: '3600000' });
        await keys.select(scenario(), 'to datetime');
        await field.waitFor();
        await keys.press('ArrowUp');
        await untilPlannedFor('time');
      },
    ],
    [
      'reads a file, copies from a group, and goes back to an earlier reset',
      async () => {
        await keys.select(scenario(), 'from file');
        await panel.next('importCsv');
        await keys.push(/^(Choose|Another) file/);
        await panel.next('importCsv');
        await keys.select(scenario(), 'to where another group is');
        await panel.next('groups');
        await keys.fill(box('Group to copy from'), 'aud');
        await keys.press('ArrowDown', 'Enter');
        await untilPlanned({ kind: 'group', group: 'audit' });
        await keys.select(scenario(), 'to earlier offsets');
        await panel.next('history');
        const earlier = box('Earlier offsets');
        await earlier.locator('option').nth(1).waitFor({ state: 'attached' });
        await keys.to(earlier);
        await keys.press('ArrowDown');
        await untilPlanned({ kind: 'restore', id: '2' });
        await keys.select(scenario(), 'to offset');
      },
    ],
    [
      'acts on one topic, and adds another',
      async () => {
        await keys.to(box('Apply to'));
        await keys.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
        await page.getByRole('button', { name: 'Reset 2 partitions' }).waitFor();
        await keys.fill(box('Apply to'), 'all topics');
        await keys.press('Enter');
        await keys.fill(box('Add a topic'), 'ref');
        await keys.press('ArrowDown', 'Enter');
        await target('refunds partition 0').waitFor();
      },
    ],
    [
      'selects rows, moves between them, types an offset, and looks at its record',
      async () => {
        await keys.turn('All partitions');
        await keys.turn('Reset orders partition 0');
        await keys.press('ArrowDown', 'Space');
        await page.getByText(/^2 of 4 partitions$/).waitFor();
        await keys.to(target('orders partition 0'));
        await keys.press('ArrowDown');
        await target('orders partition 1').and(page.locator(':focus')).waitFor();
        await keys.type('42');
        await keys.press('Tab');
        await panel.next('plan');
        await panel.next('look');
      },
    ],
    [
      'copies the command, exports, resets, and undoes it',
      async () => {
        await keys.push('Copy command');
        await panel.next('copyCommand');
        await keys.push('Export CSV...');
        await panel.next('exportCsv');
        await keys.push(/^Reset \d partitions?$/);
        await panel.next('apply');
        await keys.push('Undo');
        await panel.next('apply');
      },
    ],
    [
      'loads the group again, removes its members, and deletes it',
      async () => {
        await keys.push('Refresh');
        await panel.next('load');
        panel.host.notify('group', active);
        await keys.push('Remove its members');
        await panel.next('removeMembers');
        await keys.to(page.locator('summary', { hasText: '1 member' }));
        await keys.press('Enter');
        panel.host.notify('group', group);
        await keys.push('Delete group...');
        await panel.next('deleteGroup');
      },
    ],
    ['starts a cluster that is down', () => startByKeys(panel)],
  ];

  for (const [title, act] of functions) it(`${title} [K1]`, act);

  it('comes to every request that the panel can make of its host, and never needs a pointer [K1]', async () => {
    const asked = new Set(panel.asked.map(({ method }) => method));
    assert.deepEqual(
      Object.keys(offsetsHost).filter((method) => !asked.has(method)),
      [],
    );
    assert.equal(await pointerPresses(page), 0);
  });
});
