// Rows of the tail panel about what is read and found: D1 to D4.
import assert from 'node:assert/strict';
import { it } from 'mocha';
import { becomes, newTopic, type Scene } from './bothClusters.ts';
import { compact, type Input, recordsOf, write } from './records.ts';
import { TailPage } from './tailPage.ts';

const HOUR_MS = 3_600_000;

export function findingRows(scene: () => Scene): void {
  it('follows what others produce, and lists of groups and topics stay as they were [D1]', async () => {
    const { cluster } = scene();
    const topic = await newTopic(cluster, 'rows.live', 2);
    const admin = cluster.kafka.admin();
    await admin.connect();
    const listed = async (): Promise<unknown> => [
      (await admin.listGroups()).groups,
      (await admin.listTopics()).sort(),
    ];
    const before = await listed();
    const page = await TailPage.open(scene(), topic);
    await page.state.getByText('Live').waitFor();
    const producer = cluster.kafka.producer();
    await producer.connect();
    for (const [number, partition] of [1, 0, 1].entries()) {
      await producer.send({ topic, messages: [{ partition, key: `K-${number}`, value: 'new' }] });
      await page.grid.getByRole('row', { name: `K-${number}` }).waitFor();
    }
    await page.shows(['1/0/K-0', '0/0/K-1', '1/1/K-2'], 'partition', 'offset', 'key');
    await producer.disconnect();
    assert.deepEqual(await listed(), before);
    await admin.disconnect();
  });

  it('starts and ends where the one seek input is told: offsets, counts, times and a group [D2]', async () => {
    const { cluster } = scene();
    const topic = await newTopic(cluster, 'rows.seek');
    const nowMs = Date.now();
    /** Record 9 is an hour old, record 0 ten hours. */
    const timeOf = (offset: number): number => nowMs - (10 - offset) * HOUR_MS;
    await write(
      cluster,
      topic,
      Array.from({ length: 10 }, (_, i) => ({ value: `v${i}`, timestamp: BigInt(timeOf(i)) })),
    );
    const admin = cluster.kafka.admin();
    await admin.connect();
    const partitions = [{ partition: 0, offset: '7' }];
    await admin.setOffsets({ groupId: 'rows.readers', topic, partitions });
    await admin.disconnect();
    const page = await TailPage.open(scene(), topic);
    const iso = new Date(timeOf(6)).toISOString();
    /** What is typed, the first record and the end; `follows` where more may come. */
    const forms: [string, number, number, boolean][] = [
      ['latest', 10, 10, true],
      ['last 3', 7, 10, true],
      ['2:5', 2, 5, false],
      [`@${iso}`, 6, 10, true],
      ['@-PT5H30M:-150m', 5, 8, false],
      ['group rows.readers', 7, 10, true],
      ['earliest', 0, 10, true],
    ];
    for (const [typed, first, end, follows] of forms) {
      await page.from(typed);
      await page.state.getByText(follows ? 'Live' : 'Reached the end of the range').waitFor();
      await page.shows(Array.from({ length: end - first }, (_, i) => `0/${first + i}`));
    }
    await page.from('yesterday');
    await page.frame.getByText(/“yesterday” is not a place in a log/).waitFor();
    await page.from('group rows.nobody');
    await page.frame.getByText(/rows\.nobody has no committed offset on rows\.seek/).waitFor();
    await page.holds('10 records');
  });

  it('counts the last N where compaction and markers have left gaps, and starts where the log begins [D2]', async () => {
    const { cluster } = scene();
    const compacted = await newTopic(cluster, 'rows.compacted', 1, {
      'cleanup.policy': 'compact',
      'segment.bytes': String(1024 * 1024),
      'min.cleanable.dirty.ratio': '0',
    });
    const each = (keys: string, size: number): Input[] =>
      Array.from(keys, (key) => ({ key, value: Buffer.alloc(size, key) }));
    await write(cluster, compacted, each('abcdef', 10));
    // Beyond the size of a segment: what stands in the active one is not compacted.
    for (const key of 'bcx') await write(cluster, compacted, each(key, 600_000));
    await compact(scene(), compacted);
    const kept = ['0/0', '0/3', '0/4', '0/5', '0/6', '0/7', '0/8'];
    // Kafka's cleaner takes the segments one after another.
    const look = async (): Promise<string[]> =>
      (await recordsOf(cluster, compacted)).map(({ offset }) => `0/${offset}`);
    await becomes(look, kept);
    const page = await TailPage.open(scene(), compacted, 'last 5');
    await page.shows(kept.slice(-5));

    const topic = await newTopic(cluster, 'rows.gaps');
    const producer = cluster.kafka.producer({ transactionalId: 'rows.gaps', idempotent: true });
    await producer.connect();
    for (const value of ['a', 'b', 'c', 'd']) {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ value }] });
      await transaction.commit();
    }
    await producer.disconnect();
    const marked = await TailPage.open(scene(), topic, 'last 3');
    await marked.shows(['0/2/b', '0/4/c', '0/6/d'], 'partition', 'offset', 'value');
    const admin = cluster.kafka.admin();
    await admin.connect();
    await admin.fetchTopicOffsets(topic); // kafkajs deletes only where it has learned the leader
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '3' }] });
    await admin.disconnect();
    await marked.from('1');
    const gone = marked.grid.getByText(
      'records 1 to 2 are not in the log any more: it begins at 3',
    );
    await gone.waitFor();
    await marked.shows(['0/3/', '0/4/c', '0/6/d'], 'partition', 'offset', 'value');
    const key = marked.grid.getByRole('columnheader', { name: 'Key' });
    const [said, column] = [await gone.boundingBox(), await key.boundingBox()];
    assert.ok(said && column);
    assert.equal(said.x, column.x);
    assert.ok(said.width > 3 * column.width);
  });

  it('scrolls, sorts and searches thousands, and a pause loses none [D3]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.many', 2);
    const some = (first: number, count: number): Input[] =>
      Array.from({ length: count }, (_, i) => ({
        partition: i % 2,
        key: `K-${first + i}`,
        value: `{"number":${first + i}}`,
      }));
    await write(cluster, topic, some(0, 6000));
    const page = await TailPage.open(scene(), topic, 'earliest');
    await page.holds('6,000 records');
    await page.grid.focus();
    await page.grid.press('Home');
    const first = async (): Promise<string | undefined> => (await page.rows())[0]?.['offset'];
    await becomes(first, '0');
    for (let i = 0; i < 3; i++) await page.grid.press('PageDown');
    await page.grid.locator('[aria-selected=true]').getByText('K-').waitFor();
    await page.button(/^Jump to newest/).waitFor();
    await page.button('Pause').click();
    await page.state.getByText('Paused', { exact: true }).waitFor();
    await write(cluster, topic, some(6000, 1000));
    await page.state.getByText('Paused, 1,000 records behind').waitFor();
    await window.screenshot(`tail-paused-${cluster.name}`);
    await page.holds('6,000 records');
    await page.button('Resume').click();
    await page.holds('7,000 records');
    await page.grid.press('End');
    await page.button(/^Jump to newest/).waitFor({ state: 'hidden' });
    await page.filter('js: value.number >= 6000');
    await page.filterSays('1,000 matched · 6,000 rejected · 0 failed');
    await page.filter('k-6999');
    await page.filterSays('1 matched · 6,999 rejected · 0 failed');
    await page.shows(['1/3,499/K-6999'], 'partition', 'offset', 'key');
    await page.filter('js: value.number < 3');
    await page.filterSays('3 matched · 6,997 rejected · 0 failed');
    const sort = page.grid.getByRole('columnheader', { name: /^Key/ }).getByRole('button');
    await sort.click();
    await page.frame.getByText('Sorted by Key, ascending.').waitFor();
    await page.shows(['K-0', 'K-1', 'K-2'], 'key');
    await sort.click();
    await page.frame.getByText('Sorted by Key, descending.').waitFor();
    await page.shows(['K-2', 'K-1', 'K-0'], 'key');
    await page.button('Back to the order of arrival').click();
    await page.button('Clear filter').click();
    await page.holds('7,000 records');
  });

  it('filters by text, regular expression and JavaScript, counts, and shows what failed [D4]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.filter');
    await write(cluster, topic, [
      { key: 'O-1', value: '{"total":42.5,"to":"Seoul"}' },
      { key: 'O-2', value: '{"total":150,"to":"Busan"}' },
      {
        key: 'O-3',
        value: '{"total":990}',
        headers: [{ key: 'retry', value: Buffer.from('seoul') }],
      },
      { key: 'O-4', value: null },
      { key: null, value: 'no JSON' },
    ]);
    const page = await TailPage.open(scene(), topic);
    await page.holds('5 records');
    const found: [string, string, string[]][] = [
      ['SEOUL', '2 matched · 3 rejected · 0 failed', ['0', '2']],
      ['/"total":[0-9]{3,}/', '2 matched · 3 rejected · 0 failed', ['1', '2']],
      ['/o-[12]/i', '2 matched · 3 rejected · 0 failed', ['0', '1']],
      ['js: key === null || value === null', '2 matched · 3 rejected · 0 failed', ['3', '4']],
      ['js: headers.some(h => h.key === "retry")', '1 matched · 4 rejected · 0 failed', ['2']],
      ['js: value.total > 100', '2 matched · 2 rejected · 1 failed', ['1', '2']],
    ];
    for (const [typed, counts, offsets] of found) {
      await page.filter(typed);
      await page.filterSays(counts);
      await page.shows(offsets, 'offset');
    }
    await page.button('Show the failed').click();
    await page.grid.getByText(/^the filter failed: TypeError/).waitFor();
    await page.shows(['3'], 'offset');
    await window.screenshot(`tail-failed-${cluster.name}`);
    await page.filter('js: value.total >');
    await page.frame.getByText('The expression is not complete.').first().waitFor();
    await page.button('Clear filter').click();
    await page.shows(['0', '1', '2', '3', '4'], 'offset');
  });
}
