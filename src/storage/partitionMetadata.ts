import type { Uuid } from '../base/uuid.ts';
import { zeroUuid } from '../protocol/schema.ts';
import { replaceFile } from './atomicFile.ts';
import type { DirectoryEntry, FileSystem } from './fileSystem.ts';

const fileName = 'partition.metadata';

/** More of the file is not looked at. */
const maxBytes = 1024;

/** Thrown where the file is there and does not say whose the folder is. */
export class DamagedMetadataError extends Error {
  override name = 'DamagedMetadataError';
}

/** The topic id of a partition's folder, undefined where the file is missing [PartitionMetadataFile]. */
export async function readPartitionMetadata(
  fileSystem: FileSystem,
  folder: string,
): Promise<Uuid | undefined> {
  const path = `${folder}/${fileName}`;
  const bytes = await fileSystem.readFile(path);
  if (bytes === undefined) return undefined;
  const problem = (what: string): DamagedMetadataError =>
    new DamagedMetadataError(`${path} is damaged, it ${what}`);
  if (bytes.length === 0) throw problem('is empty');
  const [first = '', second = ''] = bytes.toString('utf8', 0, maxBytes).split(/\r?\n/);
  // Kafka reads later versions as well, so that who wrote them can go back [PartitionMetadataReadBuffer].
  if (!/^version:\s+\d{1,9}$/.test(first)) throw problem('has no version that is known');
  const id = /^topic_id:\s+(?<id>[A-Za-z0-9_-]{22})$/.exec(second)?.groups?.['id'];
  if (id === undefined || id === zeroUuid) throw problem('has no topic id');
  return id;
}

/** Whether a file is all that a folder has before its log is made. */
export function isPartitionMetadata({ name }: DirectoryEntry): boolean {
  return name === fileName || name === `${fileName}.tmp`;
}

export async function writePartitionMetadata(
  fileSystem: FileSystem,
  folder: string,
  topicId: Uuid,
): Promise<void> {
  const contents = `version: 0\ntopic_id: ${topicId}\n`;
  await replaceFile(fileSystem, `${folder}/${fileName}`, contents);
}
