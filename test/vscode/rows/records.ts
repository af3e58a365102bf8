// Records of a topic, written and read beside the editor.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { alterConfigs } from '../../../src/client/admin/configs.ts';
import { produceMany, type RecordToProduce } from '../../../src/client/produce.ts';
import { readRange } from '../../../src/client/readRange.ts';
import type { KafkaRecord } from '../../../src/protocol/records/recordReader.ts';
import { run } from '../../support/process.ts';
import { runCommand } from './questions.ts';
import type { Cluster, Scene } from './bothClusters.ts';

export type Input = Partial<Omit<RecordToProduce, 'topic' | 'key' | 'value'>> & {
  readonly key?: string | Uint8Array | null;
  readonly value?: string | Uint8Array | null;
};

/** To partition 0, without a key, a value or headers, where an input does not say otherwise. */
export async function write(
  { client }: Cluster,
  topic: string,
  inputs: readonly Input[],
): Promise<void> {
  const bytes = (part: string | Uint8Array | null = null): Uint8Array | null =>
    typeof part === 'string' ? Buffer.from(part) : part;
  const records = inputs.map(({ key, value, ...more }) => ({
    ...{ partition: 0, headers: [], ...more },
    ...{ key: bytes(key), value: bytes(value) },
  }));
  await produceMany(client, topic, records);
}

/** Each partition's records, as they are in the log, one after the other. */
export async function recordsOf(
  { client }: Cluster,
  topic: string,
  partitionCount = 1,
): Promise<(KafkaRecord & { partition: number })[]> {
  const found: (KafkaRecord & { partition: number })[] = [];
  for (let partition = 0; partition < partitionCount; partition++) {
    const range = { topic, partition, from: 0n, to: 2n ** 62n };
    for await (const batch of readRange(client, range)) {
      if (batch.isControl) continue;
      for (const record of batch.records()) found.push({ ...record, partition });
    }
  }
  return found;
}

/** Has a topic compacted as far as it can be: by command on the embedded cluster, by Kafka's own cleaner there. */
export async function compact(scene: Scene, topic: string): Promise<void> {
  const { cluster, window } = scene;
  if (cluster.name === 'Embedded') {
    await runCommand(window, "Kafka Workbench: Run the embedded cluster's maintenance now...");
    await window.pick('Compaction');
    await window.toast(/compaction: /i);
    return;
  }
  const before = (await recordsOf(cluster, topic)).length;
  // Taken over by the cleaner at once, which else looks every 15 s.
  const setBackoff = (value: string | null): Promise<void> =>
    alterConfigs(cluster.client, { kind: 'broker', id: 1 }, [
      { name: 'log.cleaner.backoff.ms', value },
    ]);
  await setBackoff('100');
  while ((await recordsOf(cluster, topic)).length === before) await sleep(100);
  await setBackoff(null);
}

export interface KcatRecord {
  readonly partition: number;
  readonly offset: number;
  readonly ts: number;
  readonly key: string | null;
  readonly payload: string | null;
  /** Name, value, name, value. */
  readonly headers?: readonly (string | null)[];
}

/** What kcat reads of a topic up to its end. */
export async function kcatRecords(
  { bootstrap }: Cluster,
  topic: string,
  ...options: readonly string[]
): Promise<KcatRecord[]> {
  const args = ['-C', '-b', bootstrap, '-t', topic, '-o', 'beginning', '-e', '-q', '-J'];
  const { code, stdout, stderr } = await run('kcat', [...args, ...options]);
  assert.equal(code, 0, stderr);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as KcatRecord);
}
