// A tail of a million records in its worker: how fast they come in, what they take of memory beside the bound that the
// panel states, and how long it takes to filter them.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { produceMany } from '../../../src/client/produce.ts';
import { plaintext } from '../../../src/client/security.ts';
import { type Tail, Tails } from '../../../src/cluster/tail/tails.ts';
import { defaultDecoders } from '../../../src/shared/contracts/decoders.ts';
import { defaultTailScope } from '../../../src/shared/contracts/tailQuery.ts';
import { startEmbedded } from '../../support/embedded.ts';
import type { Figure } from '../measure.ts';

const COUNT = 1_000_000;
const DIST = path.join(import.meta.dirname, '../../../dist');
const files = {
  workerPath: path.join(DIST, 'worker.js'),
  quickjsWasmPath: path.join(DIST, 'quickjs.wasm'),
};

export async function tail(): Promise<Figure[]> {
  const broker = await startEmbedded();
  const tails = new Tails({ files });
  try {
    await fill(broker.bootstrap);
    return await measure(tails, broker.bootstrap);
  } finally {
    tails.dispose();
    await broker.stop();
  }
}

async function fill(bootstrap: string): Promise<void> {
  const client = new KafkaClient({ bootstrap: [bootstrap] });
  await createTopic(client, { name: 'million', partitionCount: 3, replicationFactor: 1 });
  for (let first = 0; first < COUNT; first += 20_000) {
    await produceMany(
      client,
      'million',
      Array.from({ length: 20_000 }, (_, i) => record(first + i)),
    );
  }
  client.dispose();
}

function record(id: number) {
  const value = JSON.stringify({
    id,
    total: id % 500,
    note: 'a record of ordinary size '.repeat(4),
  });
  return {
    partition: id % 3,
    key: Buffer.from(`O-${id}`),
    value: Buffer.from(value),
    headers: [],
    timestamp: BigInt(1_700_000_000_000 + id),
  };
}

async function measure(tails: Tails, bootstrap: string): Promise<Figure[]> {
  const connection = { name: 'bench', bootstrap: [bootstrap], security: plaintext };
  const what = {
    topic: 'million',
    partitions: [0, 1, 2],
    from: 'earliest',
    filter: '',
    decoders: defaultDecoders,
  };
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const open = await tails.open({ connection, ...what, scope: defaultTailScope, session: 1 });
  await until(() => open.progress.held + open.progress.dropped === COUNT);
  const seconds = (performance.now() - started) / 1000;
  const after = process.memoryUsage().rss;
  const { held, bytes, bytesMax } = open.progress;
  const figure = (name: string, unit: string, value: number, goal?: string): Figure => ({
    what: name,
    unit,
    ours: [value],
    ...(goal !== undefined && { goal }),
  });
  return [
    figure('tail of 1,000,000 records, in', 'rec/s', COUNT / seconds, '>= 50,000'),
    figure('rows held', 'rows', held),
    figure('memory that the store counts', 'MB', bytes / 1e6),
    figure('its bound', 'MB', bytesMax / 1e6),
    figure('memory that the process took for it', 'MB', (after - before) / 1e6),
    ...(await filterFigures(open)),
  ];
}

const filters: readonly [string, string, string?][] = [
  ['text filter of all rows', 'O-99999', '<= 1'],
  ['regular expression', '/O-9999[0-9]/'],
  ['JavaScript, of named properties', 'js: value.total === 499'],
  ['JavaScript, of the whole payload', 'js: value === "x"'],
];

async function filterFigures(open: Tail): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [i, [what, filter, goal]] of filters.entries()) {
    const before = process.cpuUsage();
    const seconds = await filterSeconds(open, filter, i + 2);
    const { user, system } = process.cpuUsage(before);
    figures.push(
      { what, unit: 's', ours: [seconds], ...(goal !== undefined && { goal }) },
      { what: '  of the processor, all threads', unit: 's', ours: [(user + system) / 1e6] },
    );
  }
  return figures;
}

async function filterSeconds(open: Tail, filter: string, session: number): Promise<number> {
  const started = performance.now();
  await open.setFilter(filter, 'matched', session);
  await until(() => open.progress.filter?.pending === 0);
  return (performance.now() - started) / 1000;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}
