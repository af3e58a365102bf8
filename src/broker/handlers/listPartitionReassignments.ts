import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';

/** Version 0. With one broker no reassignment takes any time, so none is ever under way. [KIP-455] */
export const listPartitionReassignments: Handler<'listPartitionReassignments'> = {
  versions: [0, 0],
  handle({ topics }, { access }) {
    if (access.may('describe', 'cluster')) return { errorMessage: null, topics: [] };
    return {
      errorCode: errorCodes.CLUSTER_AUTHORIZATION_FAILED,
      errorMessage: 'Who lists reassignments needs the operation describe on the cluster.',
      topics: (topics ?? []).map(({ name, partitionIndexes }) => ({
        name,
        partitions: partitionIndexes.map((partitionIndex) => ({ partitionIndex })),
      })),
    };
  },
};
