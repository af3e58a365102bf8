/** Which connection a failure is about, where another address, user or password would help. */
import { ConnectionError, SecurityError } from '../../client/kafkaError.ts';
import type { ClusterProfile } from '../../cluster/model.ts';

/**
 * That of the row that was called from, else the one that has the address which failed; undefined where several have,
 * or where the failure is of another kind. The embedded cluster has nothing to edit.
 */
export function unreachableConnection(
  error: unknown,
  profiles: readonly ClusterProfile[],
  called?: ClusterProfile,
): ClusterProfile | undefined {
  if (!(error instanceof ConnectionError || error instanceof SecurityError)) return undefined;
  if (called) return called.kind === 'remote' ? called : undefined;
  const { address } = error;
  const failed = profiles.filter(
    ({ kind, bootstrap }) =>
      kind === 'remote' && (bootstrap.includes(address) || bootstrap.join(', ') === address),
  );
  return failed.length === 1 ? failed[0] : undefined;
}
