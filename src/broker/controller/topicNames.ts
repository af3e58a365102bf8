import type { MetadataImage } from './metadataImage.ts';

/** The controller's log. It is no topic that anybody can create. */
export const metadataTopic = '__cluster_metadata';
export const offsetsTopic = '__consumer_offsets';
export const transactionTopic = '__transaction_state';
export const shareStateTopic = '__share_group_state';

/** Topics that clients may read but not write, create or delete by hand. [Topic.INTERNAL_TOPICS] */
const internalTopics = new Set([offsetsTopic, transactionTopic, shareStateTopic]);

export function isInternalTopic(name: string): boolean {
  return internalTopics.has(name);
}

/** What is wrong with a topic's name, in words; undefined if nothing is. [Topic.validate] */
export function topicNameProblem(name: string): string | undefined {
  if (name === '') return 'the empty string is not allowed';
  if (name === '.' || name === '..') return `'.' and '..' are not allowed`;
  if (name.length > 249) {
    return `the length of '${name}' is longer than the max allowed length 249`;
  }
  if (!/^[a-zA-Z0-9._-]+$/.test(name)) {
    return `'${name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'`;
  }
  return undefined;
}

/**
 * The topic that a new one would collide with: metric names take `.` and `_` for the same. [Topic.unifyCollisionChars]
 */
export function collidingTopic(image: MetadataImage, name: string): string | undefined {
  if (!/[._]/.test(name)) return undefined;
  const unified = name.replaceAll('.', '_');
  for (const other of image.topics.keys()) {
    if (other !== name && other.replaceAll('.', '_') === unified) return other;
  }
  return undefined;
}
