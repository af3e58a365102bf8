import type { Handler } from '../handler.ts';

/** Version 0. With one broker no reassignment takes any time, so none is ever under way. [KIP-455] */
export const listPartitionReassignments: Handler<'listPartitionReassignments'> = {
  versions: [0, 0],
  handle: () => ({ errorMessage: null, topics: [] }),
};
