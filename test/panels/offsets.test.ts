import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { Handlers } from '../../src/shared/channel.ts';
import {
  type GroupSnapshot,
  offsetsHost,
  offsetsView,
  type PlanRow,
  type ResetScenario,
} from '../../src/shared/contracts/offsets.ts';
import { unseenFocus } from '../support/focusSeen.ts';
import { seriousFaults } from '../support/axe.ts';
import { layoutFaults } from '../support/layout.ts';
import { tabTo, unreachedControls } from '../support/keyboard.ts';
import { comeUp, downProblem, goDown, startByPointer } from '../support/panels/clusterDown.ts';
import { openPanel, type PanelPage } from '../support/panelPage.ts';
import { wearTheme } from '../support/themes.ts';
import { eventually } from '../scenarios/clusters.ts';

const partition = (
  index: number,
  committed: string | null,
  end: string,
): GroupSnapshot['partitions'][number] => ({
  topic: 'orders',
  partition: index,
  committed,
  metadata: '',
  logStart: '0',
  end,
  lag: committed === null ? null : (BigInt(end) - BigInt(committed)).toString(),
});

const group: GroupSnapshot = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  group: 'billing',
  state: 'Empty',
  resettable: true,
  members: [],
  partitions: [
    partition(0, '6100', '6667'),
    partition(1, '0', '6702'),
    partition(2, '9999', '6631'),
  ],
  topics: [
    { name: 'orders', partitionCount: 4 },
    { name: 'refunds', partitionCount: 2 },
  ],
  canRemoveMembers: false,
};

function planned(topic: string, index: number, scenario: ResetScenario): PlanRow {
  const known = group.partitions.find((each) => each.partition === index && topic === 'orders');
  const { committed, end } = known ?? { committed: null, end: '50' };
  const target = targetOf(scenario, { topic, partition: index }, { committed, end });
  const delta =
    committed === null || target === null ? null : (BigInt(target) - BigInt(committed)).toString();
  return { topic, partition: index, committed, end, target, delta, effect: `goes to ${target}` };
}

function targetOf(
  scenario: ResetScenario,
  of: { topic: string; partition: number },
  { committed, end }: { committed: string | null; end: string },
): string | null {
  switch (scenario.kind) {
    case 'offset':
      return scenario.offset;
    case 'latest':
      return end;
    case 'current':
      return committed ?? end;
    case 'shift':
      return String(BigInt(committed ?? 0) + BigInt(scenario.by));
    case 'offsets':
      return (
        scenario.offsets.find((each) => each.topic === of.topic && each.partition === of.partition)
          ?.offset ?? '0'
      );
    case 'delete':
      return null;
    case 'restore':
      return committed === null ? null : '7';
    case 'earliest':
    case 'time':
    case 'duration':
    case 'group':
      return '0';
  }
}

/** As much of an element as is read inside the page; the tests know no DOM types. */
interface Cut {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

describe('The offsets panel', function () {
  this.timeout(120_000);
  let panel: PanelPage<typeof offsetsHost, typeof offsetsView> | undefined;
  const opened = (): NonNullable<typeof panel> => panel ?? assert.fail('no panel is open');
  let plans: { scenario: ResetScenario; scope: number }[];
  let applied: {
    topic: string;
    partition: number;
    committed: string | null;
    target: string | null;
  }[][];

  async function open(
    overrides: Partial<Handlers<typeof offsetsHost>> = {},
    state?: unknown,
  ): Promise<Page> {
    plans = [];
    applied = [];
    panel = await openPanel({
      name: 'offsets',
      serves: offsetsHost,
      calls: offsetsView,
      state,
      handlers: {
        ready: () => ({ group }),
        load: () => ({ group }),
        plan: ({ scenario, scope }) => {
          plans.push({ scenario, scope: scope.length });
          const rows = scope.map((of) => planned(of.topic, of.partition, scenario));
          return { rows, refused: [] };
        },
        apply: ({ rows }) => {
          applied.push(rows);
          return {
            cancelled: false,
            results: rows.map(({ topic, partition: index, target }) => ({
              topic,
              partition: index,
              committed: target,
            })),
          };
        },
        look: () => ({}),
        history: () => ({ entries: [] }),
        topics: () => ({ topics: [...group.topics] }),
        groups: () => ({ groups: [] }),
        importCsv: () => ({}),
        exportCsv: () => ({}),
        copyCommand: () => ({}),
        removeMembers: () => ({}),
        deleteGroup: () => ({}),
        bringUp: () => ({}),
        ...overrides,
      },
    });
    return panel.page;
  }

  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: `Reset ${name}` }) });
  const cells = async (page: Page, name: string): Promise<string[]> =>
    (await row(page, name).getByRole('cell').allTextContents()).slice(1);
  const resetButton = (page: Page, partitions: string) =>
    page.getByRole('button', { name: `Reset ${partitions}`, exact: true });

  afterEach(async () => {
    const problems = panel?.problems ?? [];
    await panel?.close();
    panel = undefined;
    assert.deepEqual(problems, []);
  });

  it('shows every scenario, and the time beside it, to the end of their words', async () => {
    const page = await open();
    const scenario = page.getByRole('combobox', { name: 'Scenario' });
    await scenario.click();
    const options = page.getByRole('option');
    await options.first().waitFor();
    const cut = await options.evaluateAll((elements: OptionElement[]) =>
      elements.flatMap(({ shadowRoot, textContent }) => {
        const content = shadowRoot?.querySelector('.content');
        return content && content.scrollWidth <= content.clientWidth ? [] : [textContent];
      }),
    );
    assert.deepEqual(cut, []);
    await page.getByRole('option', { name: 'to datetime', exact: true }).click();
    const time = page.locator('input[type=datetime-local]');
    const [width, needed] = await time.evaluate((input: TimeElement) => {
      const { offsetWidth } = input;
      input.style.width = 'max-content';
      return [offsetWidth, input.offsetWidth];
    });
    assert.ok(width >= needed, `${width} of ${needed} pixels`);
  });

  it('shows per partition committed, end, lag, new offset, delta and effect; no commit is not 0', async () => {
    const page = await open();
    await resetButton(page, '4 partitions').waitFor();
    assert.deepEqual(await cells(page, 'orders partition 0'), [
      '0',
      '6,100',
      '6,667',
      '567',
      '',
      '−6,100',
      'goes to 0',
    ]);
    assert.deepEqual((await cells(page, 'orders partition 1')).slice(1, 4), [
      '0',
      '6,702',
      '6,702',
    ]);
    assert.deepEqual((await cells(page, 'orders partition 2')).slice(1, 4), [
      '9,999',
      '6,631',
      '−3,368',
    ]);
    assert.deepEqual((await cells(page, 'orders partition 3')).slice(1, 4), [
      'no commit',
      '50',
      '–',
    ]);
  });

  it('resets what is selected to what is planned or typed, and shows it as read back', async () => {
    const page = await open();
    await resetButton(page, '4 partitions').waitFor();
    const target = page.getByRole('textbox', { name: 'New offset of orders partition 0' });
    await target.fill('6,650');
    await target.press('Tab');
    await row(page, 'orders partition 0').getByText('+550').waitFor();
    await page.getByRole('checkbox', { name: 'Reset orders partition 2' }).uncheck();
    await page.getByRole('checkbox', { name: 'Reset orders partition 3' }).uncheck();
    await resetButton(page, '2 partitions').click();
    await row(page, 'orders partition 0').getByText('Reset; read back as 6,650').waitFor();
    assert.deepEqual(applied, [
      [
        { topic: 'orders', partition: 0, committed: '6100', target: '6650' },
        { topic: 'orders', partition: 1, committed: '0', target: '0' },
      ],
    ]);
    panel?.host.notify('group', group);
    await row(page, 'orders partition 0').getByText('Reset; read back as 6,650').waitFor();
  });

  it('plans anew for another scenario, and remembers it', async () => {
    const page = await open();
    await resetButton(page, '4 partitions').waitFor();
    await page.getByRole('combobox', { name: 'Scenario' }).click();
    await page.getByRole('option', { name: 'to offset' }).click();
    await page.getByRole('textbox', { name: 'Offset to reset to' }).fill('12');
    await row(page, 'orders partition 1').getByText('+12').waitFor();
    assert.deepEqual(plans.at(-1), { scenario: { kind: 'offset', offset: '12' }, scope: 4 });
    const state = panel?.state() as { scenario: unknown };
    assert.deepEqual(state.scenario, { kind: 'offset', offset: '12' });
  });

  it('takes up the scenario that it kept', async () => {
    const scenario = { kind: 'latest' };
    const state = { panel: 'offsets', cluster: group.cluster, group: 'billing', scenario };
    const page = await open({}, state);
    await resetButton(page, '4 partitions').waitFor();
    assert.deepEqual(plans[0]?.scenario, { kind: 'latest' });
    const shown = page.getByRole('combobox', { name: 'Scenario' }).locator('.selected-value');
    assert.equal((await shown.textContent())?.trim(), 'to latest');
  });

  it('keeps what is chosen and typed while the cluster is down, and plans it anew when that is back [F2]', async () => {
    const scenario = { kind: 'shift', by: '-100' };
    const state = { panel: 'offsets', cluster: group.cluster, group: 'billing', scenario };
    let isDown = true;
    const page = await open(
      {
        ready: () => ({ error: downProblem }),
        plan: ({ scenario: wanted, scope }) => {
          plans.push({ scenario: wanted, scope: scope.length });
          if (isDown) return { rows: [], refused: [], error: downProblem };
          return { rows: scope.map((of) => planned(of.topic, of.partition, wanted)), refused: [] };
        },
      },
      state,
    );
    await goDown(opened());
    const shown = page.getByRole('combobox', { name: 'Scenario' }).locator('.selected-value');
    const shift = page.getByRole('textbox', { name: 'How far to shift' });
    assert.equal((await shown.textContent())?.trim(), 'shift by');
    assert.equal(await shift.inputValue(), '-100');
    opened().host.notify('group', group);
    await eventually(() => plans.length > 0);
    isDown = false;
    comeUp(opened());
    await resetButton(page, '4 partitions').waitFor();
    assert.deepEqual(plans.at(-1)?.scenario, scenario);
    assert.equal(await shift.inputValue(), '-100');
  });

  it('says why what is typed is no value, and keeps it as it is typed [F2]', async () => {
    const page = await open();
    await page.getByRole('combobox', { name: 'Scenario' }).click();
    await page.getByRole('option', { name: 'shift by' }).click();
    const shift = page.getByRole('textbox', { name: 'How far to shift' });
    await shift.fill('-99999999999999999999');
    await page.getByText('That is further than an offset can be.').waitFor();
    await shift.fill('1.5');
    await page.getByText('A shift is a whole number, such as -100.').waitFor();
    const kept = panel?.state();
    await panel?.close();
    const again = await open({}, kept);
    await again.getByText('A shift is a whole number, such as -100.').waitFor();
    const same = again.getByRole('textbox', { name: 'How far to shift' });
    assert.equal(await same.inputValue(), '1.5');
  });

  it('says no more of a file that cannot be read once something else is chosen [F2]', async () => {
    const error = { message: 'Line 5 is not topic,partition,offset: x (and 3 more)' };
    const page = await open({ importCsv: () => ({ error }) });
    await page.getByRole('combobox', { name: 'Scenario' }).click();
    await page.getByRole('option', { name: 'from file' }).click();
    const said = page.getByText(error.message);
    await said.waitFor();
    await page.getByRole('combobox', { name: 'Scenario' }).click();
    await page.getByRole('option', { name: 'to latest' }).click();
    await said.waitFor({ state: 'hidden' });
  });

  it('adds the partitions of a topic that the group has no commit on', async () => {
    const page = await open();
    await resetButton(page, '4 partitions').waitFor();
    await page.getByRole('combobox', { name: 'Add a topic' }).fill('ref');
    await page.getByRole('option', { name: 'refunds' }).click();
    await resetButton(page, '6 partitions').waitFor();
    assert.equal((await cells(page, 'refunds partition 1'))[1], 'no commit');
  });

  it('says who is in an active group and why Kafka refuses', async () => {
    const member = { memberId: 'm1', clientId: 'billing-m1', host: '/127.0.0.1' };
    const members = [{ ...member, partitions: [{ topic: 'orders', partition: 0 }] }];
    const active = { ...group, state: 'Stable', resettable: false, members };
    const page = await open({ ready: () => ({ group: active }) });
    await page.getByText('Stable, 1 member: cannot be reset while it is active').waitFor();
    await page
      .getByText('Kafka refuses while the group has members. Stop billing-m1 first.')
      .waitFor();
    await page.getByRole('region', { name: 'Members' }).getByText('orders 0').waitFor();
    assert.equal(await resetButton(page, '4 partitions').isDisabled(), true);
  });

  it('shows a partition that could not be read as that, and leaves it out', async () => {
    const broken = { ...partition(0, '12', '-1'), error: { message: 'No leader.' } };
    const page = await open({
      ready: () => ({ group: { ...group, partitions: [broken, partition(1, '0', '6702')] } }),
    });
    await row(page, 'orders partition 0').getByText('No leader.').waitFor();
    assert.equal(
      await page.getByRole('checkbox', { name: 'Reset orders partition 0' }).isDisabled(),
      true,
    );
    await resetButton(page, '3 partitions').waitFor();
  });

  it('shows the partitions that failed, with why', async () => {
    const error = { message: 'The group is active again.' };
    const page = await open({
      apply: ({ rows }) => ({
        cancelled: false,
        results: rows.map((each) => ({ ...each, committed: '6100', error })),
      }),
    });
    await resetButton(page, '4 partitions').click();
    await row(page, 'orders partition 0').getByText('The group is active again.').waitFor();
    assert.equal((await cells(page, 'orders partition 0'))[1], '6,100');
  });

  it('says what failed when the group cannot be loaded, and loads it again', async () => {
    const page = await open({
      ready: () => ({ error: { message: 'Cannot reach kafka-1:9092.' } }),
    });
    await page.getByRole('alert').getByText('Cannot reach kafka-1:9092.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await resetButton(page, '4 partitions').waitFor();
    assert.equal(await page.getByRole('alert').isVisible(), false);
  });

  it('marks a new offset that is not one, and does not plan it', async () => {
    const page = await open();
    await resetButton(page, '4 partitions').waitFor();
    const before = plans.length;
    const target = page.getByRole('textbox', { name: 'New offset of orders partition 0' });
    await target.fill('-5');
    await target.press('Tab');
    assert.equal(await target.getAttribute('aria-invalid'), 'true');
    assert.equal(plans.length, before);
  });

  const choose = async (page: Page, scenario: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Scenario' }).click();
    await page.getByRole('option', { name: scenario, exact: true }).click();
  };

  it('plans a shift, a time ago, current and deletion, each as it is typed [F1] [F7]', async () => {
    const page = await open();
    await resetButton(page, '4 partitions').waitFor();
    await choose(page, 'shift by');
    await page.getByRole('textbox', { name: 'How far to shift' }).fill('-100');
    await row(page, 'orders partition 0').getByText('goes to 6000').waitFor();
    assert.deepEqual(plans.at(-1)?.scenario, { kind: 'shift', by: '-100' });
    await choose(page, 'by duration');
    await page.getByRole('textbox', { name: 'How long ago' }).fill('90m');
    await row(page, 'orders partition 0').getByText('goes to 0').waitFor();
    assert.deepEqual(plans.at(-1)?.scenario, { kind: 'duration', agoMs: '5400000' });
    await choose(page, 'to current');
    await row(page, 'orders partition 0').getByText('goes to 6100').waitFor();
    await choose(page, 'delete offsets');
    await row(page, 'orders partition 0').getByText('goes to null').waitFor();
    await page.getByRole('button', { name: 'Delete offsets of 4 partitions' }).click();
    await row(page, 'orders partition 0').getByText('read back as no commit').waitFor();
    assert.equal(applied[0]?.[0]?.target, null);
  });

  it('takes offsets from a file, of topics too that the group has no commit on [F1] [F6]', async () => {
    const offsets = [
      { topic: 'orders', partition: 0, offset: '12' },
      { topic: 'refunds', partition: 1, offset: '3' },
    ];
    const page = await open({
      importCsv: () => ({ offsets, file: 'billing.csv', note: 'Others are left out.' }),
    });
    await resetButton(page, '4 partitions').waitFor();
    await choose(page, 'from file');
    await page.getByText('billing.csv, 2 partitions. Others are left out.').waitFor();
    await row(page, 'orders partition 0').getByText('goes to 12').waitFor();
    await row(page, 'refunds partition 1').getByText('goes to 3').waitFor();
    const kept = panel?.state();
    await panel?.close();

    const again = await open({ importCsv: () => assert.fail('the file is asked for again') }, kept);
    await again.getByText('billing.csv, 2 partitions').waitFor();
    await row(again, 'refunds partition 1').getByText('goes to 3').waitFor();
  });

  it('suggests a topic that was made after the panel was opened', async () => {
    const made = { name: 'returns', partitionCount: 1 };
    const page = await open({ topics: () => ({ topics: [...group.topics, made] }) });
    await resetButton(page, '4 partitions').waitFor();
    await page.getByRole('combobox', { name: 'Add a topic' }).click();
    await page.getByRole('option', { name: 'returns' }).click();
    await resetButton(page, '5 partitions').waitFor();
  });

  it('tells of earlier offsets to the second, and of a cluster that is down why they are not known and nothing is undone [F5]', async () => {
    const undo = { id: 'e1', savedAtMs: 0, summary: 'to earliest', partitionCount: 4 };
    const page = await open(
      { history: () => ({ entries: [undo] }) },
      {
        ...{ panel: 'offsets', cluster: group.cluster, group: group.group },
        ...{ undo, scenario: { kind: 'restore', id: undo.id } },
      },
    );
    const earlier = page.getByRole('combobox', { name: 'Earlier offsets' });
    await earlier
      .getByText(/:00, before: to earliest, 4 partitions/)
      .waitFor({ state: 'attached' });
    const undoButton = page.getByRole('button', { name: 'Undo' });
    assert.equal(await undoButton.isEnabled(), true);
    await page.setViewportSize({ width: 700, height: 700 });
    assert.deepEqual(await layoutFaults(page), []);
    await goDown(opened());
    await eventually(() => undoButton.isDisabled());
    const reason = await page.locator('vscode-button', { hasText: 'Undo' }).getAttribute('title');
    assert.equal(reason, downProblem.message);
    assert.deepEqual(await layoutFaults(page), []);
    comeUp(opened());
    await eventually(() => undoButton.isEnabled());
  });

  it('takes another group of those that there are, and no other [F1]', async () => {
    const page = await open({ groups: () => ({ groups: [{ name: 'audit', state: 'Empty' }] }) });
    await resetButton(page, '4 partitions').waitFor();
    await choose(page, 'to where another group is');
    const box = page.getByRole('combobox', { name: 'Group to copy from' });
    await box.fill('aud');
    await page.getByRole('option', { name: 'audit' }).click();
    await resetButton(page, '4 partitions').waitFor();
    assert.deepEqual(plans.at(-1)?.scenario, { kind: 'group', group: 'audit' });
  });

  it('leaves out what cannot be planned, and says why [F1]', async () => {
    const page = await open({
      plan: ({ scope, scenario }) => ({
        rows: scope.slice(1).map((of) => planned(of.topic, of.partition, scenario)),
        refused: [{ topic: 'orders', partition: 0, reason: 'there is no commit to shift' }],
      }),
    });
    await resetButton(page, '3 partitions').waitFor();
    await row(page, 'orders partition 0').getByText('Left out: there is no commit').waitFor();
  });

  it('undoes the last reset, and lists earlier ones [F5]', async () => {
    const entry = { id: 'e1', savedAtMs: 0, summary: 'to earliest', partitionCount: 4 };
    const undone: unknown[] = [];
    const page = await open({
      history: () => ({ entries: [entry] }),
      apply: ({ rows, scenario, isUndo }) => {
        undone.push(isUndo);
        applied.push(rows);
        plans.push({ scenario, scope: rows.length });
        const results = rows.map(({ topic, partition: index, target }) => {
          return { topic, partition: index, committed: target };
        });
        return { cancelled: false, results, undo: entry };
      },
    });
    await resetButton(page, '4 partitions').click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'orders partition 0').getByText('read back as 7').waitFor();
    assert.deepEqual(plans.at(-1), { scenario: { kind: 'restore', id: 'e1' }, scope: 4 });
    assert.equal(applied[1]?.find((of) => of.partition === 3)?.target, null);
    assert.deepEqual(undone, [false, true]);
    const select = page.getByRole('combobox', { name: 'Earlier offsets' });
    assert.match((await select.textContent()) ?? '', /before: to earliest, 4 partitions/);
  });

  it('keeps what was left out, edited and added, and the way back, until the tab is entered again [F5] [K2]', async () => {
    const undo = { id: 'e1', savedAtMs: 0, summary: 'to earliest', partitionCount: 4 };
    const first = await open({ apply: () => ({ cancelled: false, results: [], undo }) });
    await resetButton(first, '4 partitions').click();
    await first.getByRole('button', { name: 'Undo' }).waitFor();
    const box = first.getByRole('combobox', { name: 'Add a topic' });
    await box.fill('ref');
    await first.getByRole('option', { name: 'refunds' }).click();
    await resetButton(first, '6 partitions').waitFor();
    await first.getByRole('checkbox', { name: 'Reset orders partition 1' }).uncheck();
    const target = first.getByRole('textbox', { name: 'New offset of orders partition 0' });
    await target.fill('6650');
    await target.press('Tab');
    await row(first, 'orders partition 0').getByText('goes to 6650').waitFor();
    const kept = panel?.state();
    await panel?.close();

    const again = await open({ history: () => ({ entries: [undo] }) }, kept);
    await resetButton(again, '5 partitions').waitFor();
    await row(again, 'orders partition 0').getByText('goes to 6650').waitFor();
    const left = again.getByRole('checkbox', { name: 'Reset orders partition 1' });
    assert.equal(await left.isChecked(), false);
    await again.getByRole('button', { name: 'Undo' }).click();
    await row(again, 'orders partition 0').getByText('read back as 7').waitFor();
    assert.deepEqual(plans.at(-1)?.scenario, { kind: 'restore', id: 'e1' });
  });

  it('says that it waits for an answer while it asks, and that it resets once that is given [F4]', async () => {
    const answer = Promise.withResolvers<undefined>();
    const page = await open({
      apply: async () => {
        await answer.promise;
        return { cancelled: true, results: [] };
      },
    });
    await resetButton(page, '4 partitions').click();
    await page.getByRole('status').getByText('Waiting for your answer.').waitFor();
    panel?.host.notify('resetting', {});
    await page.getByRole('status').getByText('Resetting …').waitFor();
    answer.resolve(undefined);
    await page.getByText('Resetting …').waitFor({ state: 'detached' });
    assert.equal(await resetButton(page, '4 partitions').isDisabled(), false);
  });

  it('says at once that the cluster is down, and starts it', async () => {
    let starts = 0;
    const page = await open({
      bringUp: () => {
        starts++;
        return comeUp(opened());
      },
    });
    await resetButton(page, '4 partitions').waitFor();
    await goDown(opened());
    await eventually(() => resetButton(page, '4 partitions').isDisabled());
    await startByPointer(opened());
    await eventually(() => resetButton(page, '4 partitions').isEnabled());
    assert.equal(starts, 1);
  });

  it('shows the record at the new offset and the times between, when a row is looked at [F2]', async () => {
    const asked: unknown[] = [];
    const text = (of: string) =>
      ({ kind: 'text', text: of, size: of.length, truncated: false }) as const;
    const page = await open({
      look: (params) => {
        asked.push(params);
        const record = { offset: '3', timestamp: '0', key: text('O-1'), value: text('{}') };
        return { facts: { record, count: 6097, firstTimestamp: '0', lastTimestamp: '60000' } };
      },
    });
    await resetButton(page, '4 partitions').waitFor();
    await page.getByRole('textbox', { name: 'New offset of orders partition 0' }).focus();
    const details = page.getByRole('region', { name: 'The record at the new offset' });
    await details.getByText(/^6,097 records in between, from 19.* to 19/).waitFor();
    await details.getByText('O-1').waitFor();
    assert.deepEqual(asked, [{ topic: 'orders', partition: 0, committed: '6100', target: '0' }]);
  });

  it('shows all of what a reset does to a row, with its warning, where there is little room [F2]', async () => {
    const effect = 'reads up to 6,100 records again';
    const warning = '6,650 is past the end: it goes to the end';
    const page = await open({
      plan: ({ scope, scenario }) => ({
        rows: scope.map((of) => {
          return { ...planned(of.topic, of.partition, scenario), effect, warning };
        }),
        refused: [],
      }),
    });
    await resetButton(page, '4 partitions').waitFor();
    for (const width of [1100, 900, 700, 350]) {
      await page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await layoutFaults(page), [], `${width} wide`);
      const cut = await page.locator('.effect-words').evaluateAll<number, Cut>((all) => {
        const isCut = (each: Cut): boolean =>
          each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
        return all.filter(isCut).length;
      });
      assert.equal(cut, 0, `${width} wide`);
    }
  });

  it('acts on one topic only, where that is chosen [F1]', async () => {
    const refunds = { ...partition(0, '5', '9'), topic: 'refunds' };
    const page = await open({
      ready: () => ({ group: { ...group, partitions: [partition(0, '1', '5'), refunds] } }),
    });
    await resetButton(page, '6 partitions').waitFor();
    await page.getByRole('combobox', { name: 'Apply to' }).click();
    await page.getByRole('option', { name: 'refunds' }).click();
    await resetButton(page, '2 partitions').waitFor();
    assert.equal(await page.getByRole('row').count(), 3);
  });

  it('copies the command and exports what is selected, with what was edited [F6]', async () => {
    const told: unknown[] = [];
    const page = await open({
      copyCommand: (params) => {
        told.push(params.rows[0]);
        return {};
      },
      exportCsv: (params) => {
        told.push(params.offsets[0]);
        return {};
      },
    });
    await resetButton(page, '4 partitions').waitFor();
    const target = page.getByRole('textbox', { name: 'New offset of orders partition 0' });
    await target.fill('6650');
    await target.press('Tab');
    await row(page, 'orders partition 0').getByText('+550').waitFor();
    await page.getByRole('button', { name: 'Copy command' }).click();
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const of = { topic: 'orders', partition: 0 };
    assert.deepEqual(told, [
      { ...of, target: '6650', isEdited: true },
      { ...of, offset: '6650' },
    ]);
    await target.fill('');
    await target.press('Tab');
    await row(page, 'orders partition 0').getByText('goes to 0').waitFor();
  });

  it('says when the offsets were read, by a refresh or by the last plan that could be made [F1]', async () => {
    let isDown = false;
    const page = await open({
      plan: ({ scenario, scope }) => {
        if (isDown) return { rows: [], refused: [], error: downProblem };
        return { rows: scope.map((of) => planned(of.topic, of.partition, scenario)), refused: [] };
      },
    });
    await resetButton(page, '4 partitions').waitFor();
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('combobox', { name: 'Scenario' }).click();
      await page.getByRole('option', { name, exact: true }).click();
    };
    await page.clock.setFixedTime(new Date(2026, 10, 29, 14, 3, 7));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('read at 14:03:07', { exact: true }).waitFor();
    await page.clock.setFixedTime(new Date(2026, 10, 29, 14, 4, 0));
    await choose('to latest');
    await page.getByText('read at 14:04:00', { exact: true }).waitFor();
    await page.clock.setFixedTime(new Date(2026, 10, 29, 14, 5, 0));
    isDown = true;
    await choose('to earliest');
    await page.getByRole('alert').getByText(downProblem.message).waitFor();
    assert.equal(await page.getByText('read at 14:04:00', { exact: true }).isVisible(), true);
  });

  it('offers to remove the members where the cluster can, and says why Kafka refuses [F3]', async () => {
    const members = [{ memberId: 'm1', clientId: 'm1', host: '/127.0.0.1', partitions: [] }];
    const active = { ...group, state: 'Stable', resettable: false, members };
    let removals = 0;
    const page = await open({
      ready: () => ({ group: { ...active, canRemoveMembers: true } }),
      removeMembers: () => {
        removals++;
        panel?.host.notify('group', group);
        return {};
      },
    });
    await page.getByText('Kafka lets only the members of an active group commit').waitFor();
    await page.getByRole('button', { name: 'Remove its members' }).click();
    await page.getByText('Empty: can be reset').waitFor();
    assert.equal(removals, 1);
    panel?.host.notify('group', active);
    await page.getByText('the group can be reset once their sessions have ended').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Remove its members' }).count(), 0);
  });

  it('has only the rows that are seen in the page, of however many, and all of them for the keyboard [F1]', async () => {
    const partitions = Array.from({ length: 5000 }, (_, i) => partition(i, String(i), '10000'));
    const topics = [{ name: 'orders', partitionCount: 5000 }];
    const page = await open({ ready: () => ({ group: { ...group, partitions, topics } }) });
    await resetButton(page, '5,000 partitions').waitFor();
    const table = page.getByRole('table', { name: 'Partitions' });
    assert.equal(await table.getAttribute('aria-rowcount'), '5001');
    assert.ok((await page.getByRole('row').count()) < 60);
    await page.locator('.offset-scroll').evaluate((element) => {
      (element as unknown as { scrollTop: number }).scrollTop = 1e9;
    });
    const last = page.getByRole('textbox', { name: 'New offset of orders partition 4999' });
    await last.fill('7');
    await last.press('ArrowUp');
    await row(page, 'orders partition 4999').getByText('goes to 7').waitFor();
    const focused = page.locator('input:focus');
    assert.equal(await focused.getAttribute('aria-label'), 'New offset of orders partition 4998');
    await page.getByRole('checkbox', { name: 'All partitions' }).uncheck();
    await page.getByRole('checkbox', { name: 'Reset orders partition 4999' }).check();
    await resetButton(page, '1 partition').click();
    await row(page, 'orders partition 4999').getByText('read back as 7').waitFor();
    assert.deepEqual(
      applied[0]?.map((of) => [of.partition, of.target]),
      [[4999, '7']],
    );
  });

  it('shows where the keyboard is, at every control [K1]', async () => {
    const page = await open();
    await page.getByRole('row').nth(2).waitFor();
    for (const theme of ['dark', 'high contrast'] as const) {
      await wearTheme(page, theme);
      assert.deepEqual(await unseenFocus(page), [], theme);
    }
  });

  it('can be used by keyboard alone: every control, and a reset to what is chosen [K1]', async () => {
    const page = await open();
    await row(page, 'orders partition 0').getByText('goes to').waitFor();
    assert.deepEqual(await unreachedControls(page), []);
    await tabTo(page, 'Scenario');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await tabTo(page, 'Reset orders partition 1');
    await page.keyboard.press('Space');
    await tabTo(page, 'New offset of orders partition 2');
    await page.keyboard.type('6650');
    await tabTo(page, 'Reset 3 partitions');
    await page.keyboard.press('Enter');
    await page.getByText('read back as 6,650').first().waitFor();
    assert.deepEqual(
      applied[0]?.map(({ partition: index }) => index),
      [0, 2, 3],
    );
  });

  it('has no serious fault for assistive technology, with members, a look and every scenario [K1]', async () => {
    const members = [{ memberId: 'm1', clientId: 'm1', host: '/127.0.0.1', partitions: [] }];
    const active = {
      ...group,
      state: 'Stable',
      resettable: false,
      members,
      canRemoveMembers: true,
    };
    const page = await open({ ready: () => ({ group: active }) });
    await row(page, 'orders partition 0').getByText('goes to 0').waitFor();
    await page.getByRole('textbox', { name: 'New offset of orders partition 0' }).focus();
    for (const scenario of [
      'shift by',
      'to datetime',
      'to where another group is',
      'to earlier offsets',
    ]) {
      await choose(page, scenario);
      assert.deepEqual(await seriousFaults(page), [], scenario);
    }
  });
});

/** As much of an element as is read inside the page; the tests know no DOM types. */
interface OptionElement {
  readonly textContent: string;
  readonly shadowRoot: {
    querySelector(
      selector: string,
    ): { readonly scrollWidth: number; readonly clientWidth: number } | null;
  } | null;
}

interface TimeElement {
  readonly offsetWidth: number;
  readonly style: { width: string };
}
