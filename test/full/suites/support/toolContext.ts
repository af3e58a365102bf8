import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTopicWithTool } from '../../../interop/support/kafkaTools.ts';

/** What the tools of one run work on. */
export interface ToolContext {
  readonly bootstrap: string;
  readonly topic: string;
  readonly group: string;
  /** For kafka-delete-records: up to offset 1 of partition 0. */
  readonly deleteFile: string;
}

export async function toolContext(bootstrap: string): Promise<ToolContext> {
  const [topic, group] = [`tools-${randomUUID()}`, `tools-${randomUUID()}`];
  await createTopicWithTool(bootstrap, topic, 2);
  const folder = await mkdtemp(path.join(tmpdir(), 'tools-'));
  const deleteFile = path.join(folder, 'delete.json');
  const partitions = [{ topic, partition: 0, offset: 1 }];
  await writeFile(deleteFile, JSON.stringify({ partitions, version: 1 }));
  return { bootstrap, topic, group, deleteFile };
}
