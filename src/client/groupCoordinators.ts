import { errorCodes } from '../protocol/errors.ts';
import { findCoordinators } from './coordinators.ts';
import { KafkaError } from './kafkaError.ts';
import type { CallOptions, Requester } from './request.ts';

/** Which broker coordinates a group, as far as that was asked for. */
export class GroupCoordinators {
  readonly #client: Requester;
  readonly #nodes = new Map<string, number>();

  constructor(client: Requester) {
    this.#client = client;
  }

  /** Known ones are not asked for again. A group's failure is beside the rest. */
  async of(
    groups: readonly string[],
    options: CallOptions = {},
  ): Promise<Map<string, number | Error>> {
    const unknown = groups.filter((group) => !this.#nodes.has(group));
    const found = await findCoordinators(this.#client, unknown, options);
    const result = new Map<string, number | Error>();
    for (const group of groups) {
      const node = this.#nodes.get(group) ?? found.get(group);
      if (typeof node === 'number') this.#nodes.set(group, node);
      result.set(group, node ?? noCoordinator(group));
    }
    return result;
  }

  /** Throws where it is not known. */
  async ofOne(group: string, call: CallOptions = {}): Promise<number> {
    const node = (await this.of([group], call)).get(group) ?? noCoordinator(group);
    if (typeof node === 'number') return node;
    throw node;
  }

  /** What ListGroups showed: a group's coordinator is the broker that lists it. */
  remember(group: string, node: number): void {
    this.#nodes.set(group, node);
  }

  forget(group: string): void {
    this.#nodes.delete(group);
  }

  clear(): void {
    this.#nodes.clear();
  }
}

function noCoordinator(group: string): KafkaError {
  return new KafkaError(errorCodes.COORDINATOR_NOT_AVAILABLE, { api: 'findCoordinator', group });
}
