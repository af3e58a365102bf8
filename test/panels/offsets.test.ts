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
import { openPanel, type PanelPage } from '../support/panelPage.ts';

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
};

function planned(topic: string, index: number, scenario: ResetScenario): PlanRow {
  const known = group.partitions.find((each) => each.partition === index && topic === 'orders');
  const { committed, end } = known ?? { committed: null, end: '50' };
  const wanted = { earliest: '0', latest: end, time: '1' };
  const target = scenario.kind === 'offset' ? scenario.offset : wanted[scenario.kind];
  const delta = committed === null ? null : (BigInt(target) - BigInt(committed)).toString();
  return { topic, partition: index, committed, end, target, delta, effect: `goes to ${target}` };
}

describe('The offsets panel', () => {
  let panel: PanelPage<typeof offsetsHost, typeof offsetsView> | undefined;
  let plans: { scenario: ResetScenario; scope: number }[];
  let applied: { topic: string; partition: number; committed: string | null; target: string }[][];

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
          return { rows: scope.map((of) => planned(of.topic, of.partition, scenario)) };
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
    await page.getByRole('button', { name: 'Refresh' }).click();
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
});
