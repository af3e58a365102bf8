// Records that leave a tail: to a file, and to the other cluster.
import assert from 'node:assert/strict';
import type { FileRecord } from '../../../src/codec/fileRecord.ts';
import { readRecordFile } from '../../../src/codec/recordFile.ts';
import type { Cluster, Scene } from './bothClusters.ts';
import { answerFileDialog, chooseInList, runCommand } from './questions.ts';
import { recordsOf } from './records.ts';
import type { TailPage } from './tailPage.ts';

/** Exports to a file by its ending, and reads it back. */
export async function exportTo(
  page: TailPage,
  file: string,
  which?: string,
): Promise<FileRecord[]> {
  const { window } = page.scene;
  await page.button('Export...').click();
  if (which !== undefined) await chooseInList(window, undefined, which);
  await answerFileDialog(window, file, false);
  await window.toast(`records written to ${file}`);
  await runCommand(window, 'Notifications: Clear All Notifications');
  const records: FileRecord[] = [];
  for await (const line of readRecordFile(file)) {
    assert.ok('record' in line, `line ${line.line}`);
    records.push(line.record);
  }
  return records;
}

/** The records of both partitions, as a file holds them. */
export async function recordsIn(cluster: Cluster, topic: string): Promise<FileRecord[]> {
  const records = await recordsOf(cluster, topic, 2);
  return records.map(({ key, value, headers, partition, timestamp }) => {
    return { key, value, headers, partition, timestamp };
  });
}

/** Answers where to a replay goes: to a topic of the other cluster, as the records are. */
export async function replayTo({ window, other }: Scene, topic: string): Promise<void> {
  await chooseInList(window, 'To which cluster?', other.name);
  await chooseInList(window, `To which topic of ${other.name}?`, topic);
  await chooseInList(window, 'To which partitions?', 'The same partition');
  await chooseInList(window, 'Which timestamps?', 'Keep the timestamps');
}
