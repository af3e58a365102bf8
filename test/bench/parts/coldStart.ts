// From the start of the process to the first acknowledged record, with memory soon after.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { produce } from '../../../src/client/produce.ts';
import { startEmbedded } from '../../support/embedded.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { inTurn } from '../measure.ts';
import type { Pairs } from '../measure.ts';

interface Start {
  readonly listeningMs: number;
  readonly acknowledgedMs: number;
  readonly idleMiB: number;
}

interface Started {
  readonly bootstrap: string;
  readonly startMs: number;
  residentMiB(): Promise<number>;
  stop(): Promise<unknown>;
}

const IDLE_MS = 2_000;

export async function coldStart(runs: number): Promise<Pairs[]> {
  const ours = () => measure(() => startEmbedded());
  // As Kafka's own script starts it; formatting its storage is not counted.
  const peer = () => measure(() => startKafka({ optimised: true, heapMiB: 1024 }));
  await ours(); // warms this process, and the file cache
  await peer();
  const results = await inTurn(runs, ours, peer);
  const pairs = (what: string, unit: string, key: keyof Start, goal: string): Pairs => ({
    what,
    unit,
    ours: results.ours.map((start) => start[key]),
    peer: results.peer.map((start) => start[key]),
    goal,
  });
  return [
    pairs('start to ready', 'ms', 'listeningMs', '<= 150 ms'),
    pairs('start to first acknowledged record', 'ms', 'acknowledgedMs', '<= 300 ms and <= 0.2 x'),
    pairs('resident when idle', 'MiB', 'idleMiB', '<= 65 MiB'),
  ];
}

async function measure(start: () => Promise<Started>): Promise<Start> {
  const broker = await start();
  const readyAt = performance.now();
  const client = new KafkaClient({ bootstrap: [broker.bootstrap] });
  await createTopic(client, { name: 'first', partitionCount: 1, replicationFactor: 1 });
  const record = { topic: 'first', partition: 0, key: null, value: Buffer.from('hello') };
  await produce(client, { ...record, headers: [] }, { acks: 1 });
  const acknowledgedMs = broker.startMs + performance.now() - readyAt;
  client.dispose();
  await sleep(IDLE_MS);
  const idleMiB = await broker.residentMiB();
  await broker.stop();
  return { listeningMs: broker.startMs, acknowledgedMs, idleMiB };
}
