/** A partition, by name. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** The folder's name where a partition is being deleted ends so, as in Kafka. */
const deleteSuffix = '-delete';
/** And so where it is kept though it is no partition's any more. */
const straySuffix = '-stray';

/**
 * The folder of a partition. The one place that knows: a file system that folds case, or has reserved names,
 * gets its mapping here.
 */
export function folderName({ topic, partition }: TopicPartition): string {
  return `${topic}-${partition}`;
}

/** The partition of a folder, or undefined where the folder is something else. */
export function parseFolderName(name: string): TopicPartition | undefined {
  const match = /^(?<topic>[A-Za-z0-9._-]{1,249})-(?<partition>0|[1-9]\d{0,9})$/.exec(name);
  const { topic, partition } = match?.groups ?? {};
  if (topic === undefined || partition === undefined) return undefined;
  return { topic, partition: Number(partition) };
}

/** Where the folder moves when the partition is deleted, at most 255 bytes long [UnifiedLog.logDeleteDirName]. */
export function deletedFolderName(partition: TopicPartition, unique: string): string {
  return suffixedName(partition, unique, deleteSuffix);
}

/** Where the folder moves when it turns out not to be of a topic that is there [UnifiedLog.logStrayDirName]. */
export function strayFolderName(partition: TopicPartition, unique: string): string {
  return suffixedName(partition, unique, straySuffix);
}

function suffixedName({ topic, partition }: TopicPartition, unique: string, end: string): string {
  const suffix = `-${partition}.${unique}${end}`;
  return `${topic.slice(0, 255 - suffix.length)}${suffix}`;
}

/** Whether a folder is left over from a deletion. */
export function isDeletedFolder(name: string): boolean {
  return /\.[0-9a-f]{32}-delete$/.test(name);
}

/** Whether a folder was set aside. */
export function isStrayFolder(name: string): boolean {
  return /\.[0-9a-f]{32}-stray$/.test(name);
}
