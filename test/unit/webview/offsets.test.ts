import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { GroupSnapshot } from '../../../src/shared/contracts/offsets.ts';
import { actionState } from '../../../webview/offsets/actionState.ts';
import {
  applyPlan,
  planRequests,
  rowsOf,
  whyNot,
  withTopic,
} from '../../../webview/offsets/model.ts';
import {
  offsetFault,
  shiftFault,
  toDurationMs,
  toInstant,
  toLocalDateTime,
  toOffset,
  toShift,
} from '../../../webview/offsets/scenarioValues.ts';

const group: GroupSnapshot = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  group: 'billing',
  state: 'Empty',
  resettable: true,
  members: [],
  partitions: [
    {
      topic: 'orders',
      partition: 1,
      committed: null,
      metadata: '',
      logStart: '0',
      end: '6702',
      lag: null,
    },
    {
      topic: 'orders',
      partition: 0,
      committed: '6100',
      metadata: '',
      logStart: '0',
      end: '6667',
      lag: '567',
    },
    {
      topic: 'payments',
      partition: 0,
      committed: '12',
      metadata: '',
      logStart: '-1',
      end: '-1',
      lag: null,
      error: { message: 'The leader is not available.' },
    },
  ],
  topics: [{ name: 'refunds', partitionCount: 2 }],
  canRemoveMembers: false,
};

const names = (rows: readonly { topic: string; partition: number }[]): string[] =>
  rows.map(({ topic, partition }) => `${topic}-${partition}`);

const plan = (topic: string, partition: number, target: string) => ({
  topic,
  partition,
  committed: '6200',
  end: '6700',
  target,
  delta: '1',
  effect: '',
});

describe('rowsOf', () => {
  it('sorts by topic and partition, keeps no commit apart from 0, and hides figures that are missing', () => {
    const rows = rowsOf(group, [], false);
    assert.deepEqual(names(rows), ['orders-0', 'orders-1', 'payments-0']);
    assert.deepEqual(
      rows.map(({ committed, end, lag }) => [committed, end, lag]),
      [
        ['6100', '6667', '567'],
        [null, '6702', null],
        ['12', undefined, undefined],
      ],
    );
  });

  it('keeps what a person selected, typed and added over a refresh', () => {
    const before = withTopic(rowsOf(group, [], false), 'refunds', 2);
    before[0]!.selected = false;
    before[1]!.edited = '7';
    const after = rowsOf(group, before, false);
    assert.deepEqual(names(after), [
      'orders-0',
      'orders-1',
      'payments-0',
      'refunds-0',
      'refunds-1',
    ]);
    assert.equal(after[0]!.selected, false);
    assert.equal(after[1]!.edited, '7');
  });

  it('has a row for each partition of a topic that the group has a commit on', () => {
    const topics = [
      { name: 'orders', partitionCount: 4 },
      { name: 'refunds', partitionCount: 2 },
    ];
    const rows = rowsOf({ ...group, topics }, [], false);
    assert.deepEqual(names(rows), ['orders-0', 'orders-1', 'orders-2', 'orders-3', 'payments-0']);
    assert.equal(rows[2]!.committed, null);
    assert.equal(rows[2]!.selected, true);
  });

  it('drops rows of partitions that the group no longer has a commit on', () => {
    const before = rowsOf(group, [], false);
    const without = { ...group, partitions: group.partitions.slice(0, 1) };
    assert.deepEqual(names(rowsOf(without, before, false)), ['orders-1']);
  });

  it('keeps results only where it is told to', () => {
    const before = rowsOf(group, [], false);
    before[0]!.result = { topic: 'orders', partition: 0, committed: '1' };
    assert.equal(rowsOf(group, before, true)[0]!.result?.committed, '1');
    assert.equal(rowsOf(group, before, false)[0]!.result, undefined);
  });
});

describe('withTopic', () => {
  it('adds only the partitions that are not there', () =>
    assert.deepEqual(names(withTopic(rowsOf(group, [], false), 'orders', 3)), [
      'orders-0',
      'orders-1',
      'orders-2',
      'payments-0',
    ]));
});

describe('planRequests', () => {
  it('asks once for the scenario and once for all offsets that were typed, and not for errors', () => {
    const rows = withTopic(rowsOf(group, [], false), 'refunds', 2);
    rows[1]!.edited = '7';
    rows[3]!.edited = '7';
    assert.deepEqual(planRequests(rows, { kind: 'latest' }), [
      {
        scenario: { kind: 'latest' },
        scope: [
          { topic: 'orders', partition: 0 },
          { topic: 'refunds', partition: 1 },
        ],
      },
      {
        scenario: {
          kind: 'offsets',
          offsets: [
            { topic: 'orders', partition: 1, offset: '7' },
            { topic: 'refunds', partition: 0, offset: '7' },
          ],
        },
        scope: [
          { topic: 'orders', partition: 1 },
          { topic: 'refunds', partition: 0 },
        ],
      },
    ]);
  });

  it('asks only for typed offsets while the scenario is incomplete', () => {
    const rows = rowsOf(group, [], false);
    assert.deepEqual(planRequests(rows, undefined), []);
  });
});

describe('applyPlan', () => {
  it('takes the newer figures of the plan, and computes a lag that may be negative, exactly', () => {
    const rows = rowsOf(group, [], false);
    const far = (2n ** 62n).toString();
    applyPlan(rows, [{ ...plan('orders', 0, '5'), committed: far, end: '1' }]);
    assert.equal(rows[0]!.committed, far);
    assert.equal(rows[0]!.lag, (1n - 2n ** 62n).toString());
    assert.equal(rows[0]!.plan?.target, '5');
  });

  it('ignores rows that are not shown', () => {
    const rows = rowsOf(group, [], false);
    applyPlan(rows, [plan('other', 0, '5')]);
    assert.ok(rows.every((row) => row.plan === undefined));
  });
});

describe('actionState', () => {
  const scene = {
    ...({ clusterWhy: undefined, phase: 'none', group, rows: rowsOf(group, [], false) } as const),
    ...({ scenario: { kind: 'earliest' }, hasUndo: true } as const),
  };

  it('lets the last reset be undone where Kafka would, whatever is planned [F5]', () => {
    const { why, whyNotUndo } = actionState(scene);
    assert.match(why ?? '', /Nothing is planned/);
    assert.equal(whyNotUndo, undefined);
  });

  it('says why nothing can be undone: a cluster that is down, a question, members, read-only [F5]', () => {
    const clusterWhy = 'The embedded cluster is not running.';
    const down = actionState({ ...scene, clusterWhy });
    assert.deepEqual([down.whyNotUndo, down.whyNotDelete, down.why], Array(3).fill(clusterWhy));
    assert.equal(down.isReasonSaid, true);
    assert.match(actionState({ ...scene, phase: 'asking' }).whyNotUndo ?? '', /your answer/);
    const active = { ...group, state: 'Stable', resettable: false };
    assert.match(actionState({ ...scene, group: active }).whyNotUndo ?? '', /in state Stable/);
    const readOnly = { ...group, cluster: { ...group.cluster, readOnly: true } };
    assert.match(actionState({ ...scene, group: readOnly }).whyNotUndo ?? '', /read-only/);
  });
});

describe('whyNot', () => {
  const planned = () => {
    const rows = rowsOf(group, [], false);
    applyPlan(rows, [plan('orders', 0, '5')]);
    return rows;
  };

  it('lets a reset be done where Kafka would', () =>
    assert.equal(whyNot(group, planned()), undefined));

  it('names who holds an active group', () => {
    const member = { memberId: 'm', host: '/h', partitions: [] };
    const members = ['a', 'b', 'b', 'c', 'd'].map((clientId) => ({ ...member, clientId }));
    const active = { ...group, state: 'Stable', resettable: false, members };
    assert.match(whyNot(active, planned()) ?? '', /Stop a, b, c and others first/);
  });

  it('names the state where there are no members to name', () =>
    assert.match(
      whyNot({ ...group, state: 'PreparingRebalance', resettable: false }, planned()) ?? '',
      /in state PreparingRebalance/,
    ));

  it('says why not: not loaded, read-only, nothing selected, nothing planned', () => {
    assert.match(whyNot(undefined, []) ?? '', /not loaded/);
    const readOnly = { ...group, cluster: { ...group.cluster, readOnly: true } };
    assert.match(whyNot(readOnly, planned()) ?? '', /Embedded is read-only/);
    assert.match(
      whyNot(
        group,
        planned().map((row) => ({ ...row, selected: false })),
      ) ?? '',
      /No partition is/,
    );
    assert.match(whyNot(group, rowsOf(group, [], false)) ?? '', /Nothing is planned/);
    const fault = shiftFault('1.5');
    assert.match(whyNot(group, rowsOf(group, [], false), { fault }) ?? '', /whole number/);
  });
});

describe('what is typed and is no value', () => {
  it('is told from what is beyond an offset [F2]', () => {
    for (const text of ['99999999999999999999', '9,223,372,036,854,775,808']) {
      assert.match(offsetFault(text), /beyond what an offset/);
      assert.match(shiftFault(`−${text}`), /further than an offset/);
    }
    for (const text of ['1.5', 'x', '-']) {
      assert.match(offsetFault(text), /from 0 up/);
      assert.match(shiftFault(text), /such as -100/);
    }
    assert.match(offsetFault('-1'), /from 0 up/);
  });
});

describe('toOffset', () => {
  const cases: [string, string | undefined][] = [
    ['6650', '6650'],
    [' 6,650 ', '6650'],
    ['007', '7'],
    ['9223372036854775807', '9223372036854775807'],
    ['9223372036854775808', undefined],
    ['99999999999999999999', undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['66,50', undefined],
    ['0x10', undefined],
  ];
  for (const [text, offset] of cases) {
    it(`reads ${JSON.stringify(text)} as ${offset ?? 'no offset'}`, () =>
      assert.equal(toOffset(text), offset));
  }
});

describe('toShift', () => {
  for (const [text, by] of [
    ['+5', '5'],
    ['5', '5'],
    ['-1,000', '-1000'],
    ['−7', '-7'],
    ['-0', '0'],
    ['--1', undefined],
    ['', undefined],
  ] as const) {
    it(`reads "${text}" as ${by ?? 'no shift'}`, () => assert.equal(toShift(text), by));
  }
});

describe('toDurationMs', () => {
  for (const [text, ms] of [
    ['90m', '5400000'],
    ['-1h30m', '5400000'],
    ['PT1H', '3600000'],
    ['2d', '172800000'],
    ['1h:2h', undefined],
    ['1 hour', undefined],
    ['', undefined],
  ] as const) {
    it(`reads "${text}" as ${ms ?? 'no duration'}`, () => assert.equal(toDurationMs(text), ms));
  }
});

describe('toInstant', () => {
  it('reads a local time to the millisecond and writes it back', () => {
    const epochMs = new Date(2026, 10, 29, 14, 3, 7, 482).getTime();
    assert.equal(toLocalDateTime(epochMs), '2026-11-29T14:03:07.482');
    assert.equal(toInstant('2026-11-29T14:03:07.482'), String(epochMs));
    assert.equal(toInstant('2026-11-29T14:03'), String(epochMs - 7482));
  });

  for (const text of ['', 'yesterday', '2026-13-01T00:00']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(toInstant(text), undefined));
  }
});
