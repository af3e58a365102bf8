import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { RequestOf } from '../handler.ts';

type Topics = RequestOf<'offsetCommit' | 'txnOffsetCommit'>['topics'];

/** A commit that is refused is so partition by partition. [OffsetCommitRequest.getErrorResponse] */
export function refusedCommit({ topics }: { readonly topics: Topics }, error: ErrorName) {
  const errorCode = errorCodes[error];
  return {
    topics: topics.map(({ name, topicId, partitions }) => ({
      name,
      topicId,
      partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode })),
    })),
  };
}
