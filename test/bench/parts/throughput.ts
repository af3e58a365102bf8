// Kafka's own performance tools against both brokers: one partition, acks=1, 1 KiB and 100 B.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { startEmbedded } from '../../support/embedded.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { cpuSeconds, inTurn, peakMiB } from '../measure.ts';
import type { Pairs } from '../measure.ts';

interface Run {
  readonly produceMBs: number;
  readonly consumeMBs: number;
  readonly cpuPerGB: number;
}

interface Served {
  readonly bootstrap: string;
  readonly pid: number;
}

// The client's own code is compiled in the first seconds; only what follows is counted.
const WARM_UP = 1 / 3;
const TOOL = { heapMiB: 512, optimised: true, timeoutMs: 300_000 };

export async function throughput(runs: number): Promise<Pairs[]> {
  const kafka = await startKafka({ optimised: true, heapMiB: 1024 });
  const broker = await startEmbedded();
  const figures: Pairs[] = [];
  for (const [records, bytes] of [
    [1_500_000, 1024],
    [4_000_000, 100],
  ] as const) {
    const run = (served: Served) => () => measure(served, records, bytes);
    await run(broker)();
    await run(kafka)();
    const results = await inTurn(runs, run(broker), run(kafka));
    const pairs = (what: string, unit: string, key: keyof Run, goal: string): Pairs => ({
      what: `${what}, ${bytes} B records, Java`,
      unit,
      ours: results.ours.map((one) => one[key]),
      peer: results.peer.map((one) => one[key]),
      goal,
    });
    figures.push(
      pairs('produce, acks=1', 'MB/s', 'produceMBs', '>= 1 x'),
      pairs('consume', 'MB/s', 'consumeMBs', '>= 1 x'),
      pairs('processor time of the broker', 's/GB', 'cpuPerGB', '<= 1 x'),
    );
  }
  const peaks = [await peakMiB(broker.pid), await peakMiB(kafka.pid)] as const;
  figures.push({ what: 'peak memory', unit: 'MiB', ours: [peaks[0]], peer: [peaks[1]] });
  await broker.stop();
  await kafka.stop();
  return figures;
}

async function measure(served: Served, records: number, bytes: number): Promise<Run> {
  const topic = `bench-${randomUUID()}`;
  const client = new KafkaClient({ bootstrap: [served.bootstrap] });
  await createTopic(client, { name: topic, partitionCount: 1, replicationFactor: 1 });
  client.dispose();
  const cpuBefore = await cpuSeconds(served.pid);
  const produceMBs = await produceWithTool(served.bootstrap, topic, records, bytes);
  const consumeMBs = await consumeWithTool(served.bootstrap, topic, records);
  const cpu = (await cpuSeconds(served.pid)) - cpuBefore;
  return { produceMBs, consumeMBs, cpuPerGB: cpu / ((records * bytes) / 1e9) };
}

async function produceWithTool(
  bootstrap: string,
  topic: string,
  records: number,
  bytes: number,
): Promise<number> {
  const { code, stdout, stderr } = await runKafkaTool(
    'org.apache.kafka.tools.ProducerPerformance',
    [
      ...['--bootstrap-server', bootstrap, '--topic', topic, '--throughput', '-1'],
      ...['--num-records', String(records), '--record-size', String(bytes)],
      ...['--warmup-records', String(Math.round(records * WARM_UP))],
      ...['--command-property', 'acks=1', 'linger.ms=5', 'batch.size=262144'],
    ],
    TOOL,
  );
  assert.equal(code, 0, stdout + stderr);
  return megabytes(/steady state records sent, .*?\(([\d.]+) MB\/sec\)/.exec(stdout)?.[1]);
}

async function consumeWithTool(bootstrap: string, topic: string, records: number) {
  const { code, stdout, stderr } = await runKafkaTool(
    'org.apache.kafka.tools.ConsumerPerformance',
    [
      ...['--bootstrap-server', bootstrap, '--topic', topic, '--num-records', String(records)],
      ...['--hide-header', '--command-property', 'check.crcs=false'],
    ],
    TOOL,
  );
  assert.equal(code, 0, stdout + stderr);
  // start, end, MB, MB/s, records, records/s, rebalance ms, fetch ms, fetch MB/s, fetch records/s
  const fields = (stdout.trimEnd().split('\n').at(-1) ?? '')
    .split(',')
    .map((field) => field.trim());
  assert.equal(fields[4], String(records), stdout);
  return megabytes(fields[8]);
}

/** The tools count in MiB. */
function megabytes(text: string | undefined): number {
  const value = Number(text);
  assert.ok(value > 0, `no figure in ${text}`);
  return (value * 1024 * 1024) / 1e6;
}
