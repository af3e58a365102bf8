import { t } from '../base/l10n.ts';
import { type Address, formatAddress } from './address.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connectionPool.ts';
import {
  CancelledError,
  ConnectionError,
  DeadlineError,
  SecurityError,
  throwIfCancelled,
} from './kafkaError.ts';
import type { Deadline } from './waiting.ts';

export interface Way {
  readonly lane: string;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An open connection to any of the addresses if there is one, else the first that opens, each tried in its turn.
 * Rejects with what each of them failed at, once all have or the deadline has passed.
 */
export async function firstReachable(
  pool: ConnectionPool,
  addresses: readonly Address[],
  { lane, deadline, signal }: Way,
): Promise<Connection> {
  const open = pool.openOne(addresses, lane);
  if (open) return open;
  const failures: Error[] = [];
  for (const [name, address] of new Map(addresses.map((each) => [formatAddress(each), each]))) {
    if (failures.length > 0 && deadline.hasPassed) break;
    try {
      return await deadline.orLate(pool.get(address, lane, signal), name);
    } catch (error) {
      throwIfCancelled(signal);
      // The next broker would be told the same: a wrong password is offered once.
      if (error instanceof SecurityError || error instanceof CancelledError) throw error;
      failures.push(error as Error);
      if (error instanceof DeadlineError) break;
    }
  }
  throw allUnreachable(failures, addresses);
}

function allUnreachable(failures: readonly Error[], addresses: readonly Address[]): Error {
  const [first, ...more] = failures;
  const address = addresses.map(formatAddress).join(', ');
  if (first === undefined)
    return new ConnectionError(t('there is no address to connect to'), { address });
  if (more.length === 0) return first;
  const message = failures.map((failure) => failure.message).join('; ');
  return new ConnectionError(message, { address, cause: first });
}
