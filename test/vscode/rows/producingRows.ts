// Rows of the produce panel: E1, E2 and E5.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'mocha';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { sendOnce } from '../../support/kafka/sendOnce.ts';
import { run } from '../../support/process.ts';
import { becomes, type Cluster, newTopic, type Scene } from './bothClusters.ts';
import { ProducePage } from './producePage.ts';
import { answerFileDialog, chooseInList, runCommand } from './questions.ts';
import { kcatRecords, recordsOf } from './records.ts';
import { TailPage } from './tailPage.ts';

export function producingRows(scene: () => Scene): void {
  it('sends key, value, headers, partition, timestamp and compression as typed, and links to the record [E1]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.produce', 3);
    const page = await ProducePage.open(scene(), topic);
    await page.type({
      partition: '1',
      key: ['Hex', '80 ff'],
      value: ['JSON', '{"id":9007199254740993,"to":"서울"}'],
      headers: [
        ['retry', 'Text', '1'],
        ['retry', 'Null', ''],
        ['retry', 'Text', ''],
        ['bytes', 'Base64', 'AP8Q'],
      ],
      timestamp: '1790000000123',
      compression: 'zstd',
    });
    await window.screenshot(`produce-typed-${cluster.name}`);
    await page.headersAreApart();
    await page.send(`${topic} / 1 at 0`);
    await page.type({ key: ['Text', ''], value: ['Null', ''], timestamp: '', compression: 'none' });
    await page.frame.getByText('This is a tombstone: it deletes the key where').waitFor();
    await page.send(`${topic} / 1 at 1`);
    await window.screenshot(`produce-sent-${cluster.name}`);

    const [full, tombstone] = await recordsOf(cluster, topic, 3);
    assert.deepEqual(
      [full?.partition, full?.timestamp, full?.key, full?.value?.toString()],
      [1, 1_790_000_000_123n, Buffer.from([0x80, 0xff]), '{"id":9007199254740993,"to":"서울"}'],
    );
    assert.deepEqual(
      full?.headers.map(({ key, value }) => [key.toString(), value?.toString('hex')]),
      [
        ['retry', '31'],
        ['retry', undefined],
        ['retry', ''],
        ['bytes', '00ff10'],
      ],
    );
    assert.deepEqual([tombstone?.key, tombstone?.value], [Buffer.alloc(0), null]);
    const [, second] = await kcatRecords(cluster, topic);
    assert.deepEqual([second?.key, second?.payload], ['', null]);
    assert.ok(Math.abs((second?.ts ?? 0) - Date.now()) < 600_000);

    await page.frame.getByRole('link', { name: `${topic} / 1 at 0` }).click();
    const tail = await TailPage.shown(scene(), topic);
    await tail.record.getByText(`${topic} / 1 at 0`).waitFor();
    assert.equal((await tail.facts('Batch'))['Compression'], 'zstd');
  });

  it('sends with every kind of acks and delivery, and says what does not go together [E1]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.delivery');
    const page = await ProducePage.open(scene(), topic);
    const send = async (value: string, where: string, how: object): Promise<void> => {
      await page.type({ value: ['Text', value], ...how });
      await page.send(`${topic} / 0${where}`);
    };
    await send('one', ' at 0', { acks: '1: the leader' });
    await send('none', ', no offset came back', { acks: '0: no acknowledgement' });
    await becomes(async () => (await recordsOf(cluster, topic)).length, 2);
    await page.type({ delivery: 'Idempotent: a repeat writes nothing' });
    const refusal = 'Idempotent and transactional producers need acks all.';
    await page.frame.getByText(refusal).first().waitFor();
    await window.screenshot(`produce-refused-${cluster.name}`);
    await send('idempotent', ' at 2', { acks: 'all: every in-sync replica' });
    await send('committed', ' at 3', { delivery: 'In a transaction that commits' });
    await send('aborted', ' at 5', { delivery: 'In a transaction that aborts' });
    const read = async (isolation: string): Promise<unknown[]> => {
      const options = ['-X', `isolation.level=${isolation}`];
      return (await kcatRecords(cluster, topic, ...options)).map(({ payload }) => payload);
    };
    const all = ['one', 'none', 'idempotent', 'committed', 'aborted'];
    assert.deepEqual(await read('read_uncommitted'), all);
    assert.deepEqual(await read('read_committed'), all.slice(0, 4));
  });

  it('shows the partition that each kind of client then chooses [E1]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.choices', 7);
    const keys = ['O-1182', 'a', '열쇠'];
    const page = await ProducePage.open(scene(), topic);
    const chosen = await partitionsChosen(cluster, topic, keys);
    for (const key of keys) {
      await page.type({ key: ['Text', key], value: ['Text', 'by us'] });
      const told = async (): Promise<Record<string, string | null>> => ({
        java: await page.choiceOf('Java'),
        kafkajs: await page.choiceOf('kafkajs'),
        kcat: await page.choiceOf('kcat'),
      });
      await becomes(told, chosen(key));
      assert.match((await page.choiceOf('sarama')) ?? '', /^[0-6]$/);
    }
    await window.screenshot(`produce-choices-${cluster.name}`);
  });

  it('sends the records of a file, JSON lines or CSV, and names the line that is none [E2]', async () => {
    const { cluster, editor, window } = scene();
    const topic = await newTopic(cluster, 'rows.files', 2);
    const lines = path.join(editor.workspace, 'many.jsonl');
    const csv = path.join(editor.workspace, 'many.csv');
    await writeFile(
      lines,
      '{"key":"a","value":{"id":1},"partition":1}\nnonsense\n{"key":null,"value":null}\n',
    );
    await writeFile(csv, 'key,value,partition,header.kind\nb,"two, with a comma",0,csv\n');
    const page = await ProducePage.open(scene(), topic);
    await page.openMany();
    await page.button('From a file...').click();
    await answerFileDialog(window, lines, true);
    await page.manySays(/^2 records sent · 1 line left out, first line 2: /);
    await page.button('From a file...').click();
    await answerFileDialog(window, csv, true);
    await page.manySays(/^1 record sent$/);
    const read = (await recordsOf(cluster, topic, 2)).map(({ key, value, headers }) => {
      const written = headers.map((header) => [String(header.key), String(header.value)]);
      return [String(key), String(value), ...written.flat()].join('|');
    });
    assert.deepEqual(read.sort(), ['a|{"id":1}', 'b|two, with a comma|kind|csv', 'null|null']);
  });

  it('sends many from a template at a rate, shows how far it is, and stops when told [E2]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.template');
    const page = await ProducePage.open(scene(), topic);
    await page.type({
      key: ['Text', 'K-{{n}}'],
      value: ['JSON', '{"n":{{n}},"size":{{int 5 5}},"of":"{{pick x}}"}'],
    });
    // A template unfolds how it is sent, by itself.
    await page.button('Show examples').click();
    await page.frame
      .getByRole('list', { name: 'Examples' })
      .getByText('{"n":3,"size":5,"of":"x"}')
      .waitFor();
    await page.field('How many records').fill('250');
    await page.button('Send many').click();
    await page.manySays(/^250 records sent$/);
    const sent = await kcatRecords(cluster, topic);
    assert.deepEqual(
      [sent.length, sent.at(-1)?.key, sent.at(-1)?.payload],
      [250, 'K-250', '{"n":250,"size":5,"of":"x"}'],
    );
    await page.field('How many records').fill('100000');
    await page.frame.getByRole('textbox', { name: /^Records per second/ }).fill('20');
    await page.button('Send many').click();
    await page.manySays(/^[1-9]\d* of 100,000 sent · \d+ a second$/);
    await window.screenshot(`produce-many-${cluster.name}`);
    await page.button('Cancel').click();
    const words = await page.manySays(/^\d+ records? sent, then cancelled$/);
    const count = (await kcatRecords(cluster, topic)).length - 250;
    assert.ok(count >= parseInt(words, 10) && count < 100_000, `${count}, said: ${words}`);
  });

  it('keeps a record under a name, uses it again, and produces a record again, edited [E5]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.saved', 2);
    const name = `refund on ${cluster.name}`;
    const page = await ProducePage.open(scene(), topic);
    const typed = { key: ['Text', 'R-1'], value: ['Text', 'kept'], partition: '1' } as const;
    await page.type({ ...typed, headers: [['none', 'Null', '']] });
    await page.button('Save...').click();
    await window.answer(name);
    const saved = window.page.getByRole('treeitem', { name: new RegExp(`^${name}`) });
    await window.page.getByRole('button', { name: 'Saved Records Section' }).waitFor();
    await page.type({ value: ['Text', 'something else'], key: ['Null', ''] });
    await page.button('Use a saved record...').click();
    await chooseInList(window, 'Name or topic', name);
    await becomes(() => page.field('Value').inputValue(), 'kept');
    await page.send(`${topic} / 1 at 0`);

    await page.frame.getByRole('link', { name: `${topic} / 1 at 0` }).click();
    const tail = await TailPage.shown(scene(), topic);
    await tail.record.getByText(`${topic} / 1 at 0`).waitFor();
    await tail.button('Produce again').click();
    const again = await ProducePage.shown(scene(), topic);
    await becomes(() => again.field('Key').inputValue(), 'R-1');
    await again.type({ value: ['Text', 'edited'] });
    await again.send(`${topic} / 1 at 1`);
    const [first, second] = await recordsOf(cluster, topic, 2);
    assert.deepEqual([first?.value?.toString(), second?.value?.toString()], ['kept', 'edited']);
    assert.deepEqual(second?.headers, first?.headers);
    assert.deepEqual([second?.key, second?.headers.length], [Buffer.from('R-1'), 1]);

    await runCommand(window, 'Kafka Workbench: Delete the saved records...');
    await chooseInList(window, 'Name or topic', name);
    await window.chooseInDialog('Delete');
    await saved.waitFor({ state: 'detached' });
  });
}

/** Has each client send the keys, and answers where each has put a key. */
async function partitionsChosen(cluster: Cluster, topic: string, keys: readonly string[]) {
  const { bootstrap, kafka } = cluster;
  await sendOnce(kafka, { topic, messages: keys.map((key) => ({ key, value: 'kafkajs' })) });
  const lines = (value: string): string => keys.map((key) => `${key}\t${value}\n`).join('');
  const kcat = await run('kcat', ['-P', '-b', bootstrap, '-t', topic, '-K', '\t'], {
    input: lines('kcat'),
  });
  assert.equal(kcat.code, 0, kcat.stderr);
  const java = await runKafkaTool(
    'org.apache.kafka.tools.ConsoleProducer',
    [
      ...['--bootstrap-server', bootstrap, '--topic', topic],
      ...['--reader-property', 'parse.key=true'],
    ],
    { input: lines('java') },
  );
  assert.equal(java.code, 0, java.stderr);
  const records = await kcatRecords(cluster, topic);
  return (key: string): Record<string, string | null> => {
    const of = (client: string): string | null =>
      records
        .find((record) => record.key === key && record.payload === client)
        ?.partition.toString() ?? null;
    return { java: of('java'), kafkajs: of('kafkajs'), kcat: of('kcat') };
  };
}
