import type { Logger } from '../../base/logger.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Decision } from '../runtime/decision.ts';
import type { PartitionRuntimes } from '../runtime/partitionRuntimes.ts';
import { sweep } from '../runtime/sweep.ts';
import type { GroupShard } from './groupShard.ts';
import type { GroupState } from './groupState.ts';
import { expireGroup, forgetTopics } from './offsetDelete.ts';

/** Answers whether that was all there is to decide on the group. */
type DecideOnGroup = (state: GroupState, groupId: string, decision: Decision) => boolean;

/** What is done to every group of this broker, one after the other, without anybody asking for it. */
export class GroupSweeps {
  readonly #runtimes: PartitionRuntimes<GroupShard>;
  readonly #logger: Logger;

  constructor(runtimes: PartitionRuntimes<GroupShard>, logger: Logger) {
    this.#runtimes = runtimes;
    this.#logger = logger;
  }

  /** Topics are gone: their offsets go too, as tombstones. */
  async forgetTopics(names: readonly string[]): Promise<void> {
    const topics = new Set(names);
    await this.#forEachGroup((state, groupId, decision) =>
      forgetTopics(state, groupId, topics, decision),
    );
  }

  /** Drops expired offsets, and groups without members that have none left. */
  async expire(): Promise<void> {
    await this.#forEachGroup((state, groupId, decision) => {
      const group = state.groups.get(groupId);
      return group === undefined || expireGroup(state, group, decision);
    });
    for (const { state } of this.#runtimes.shards) {
      state.offsets.compact();
      state.txnOffsets.compact();
    }
  }

  /**
   * Decisions of each group by itself, until it has nothing left to decide, so that none grows with the number of
   * groups.
   */
  async #forEachGroup(decide: DecideOnGroup): Promise<void> {
    const groupIds = this.#runtimes.shards.flatMap(({ state }) =>
      state.groups.values().map(({ groupId }) => groupId),
    );
    const failedCount = await sweep(groupIds, (groupId) => this.#decideOn(groupId, decide));
    if (failedCount > 0) this.#logger.warn(`${failedCount} groups could not be cleaned`);
  }

  /** The error code of what could not be written. */
  async #decideOn(groupId: string, decide: DecideOnGroup): Promise<number> {
    const deciding = { isDone: false };
    let errorCode: number = errorCodes.NONE;
    while (!deciding.isDone && errorCode === errorCodes.NONE) {
      errorCode = await this.#runtimes.write<number>(groupId, {
        onError: (code) => code,
        decide: ({ state }, decision, reply) => {
          deciding.isDone = decide(state, groupId, decision);
          decision.answer(reply, errorCodes.NONE);
        },
      });
    }
    return errorCode;
  }
}
