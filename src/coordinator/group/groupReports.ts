import { mapInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { PartitionRuntimes } from '../runtime/partitionRuntimes.ts';
import {
  describeConsumerGroup,
  type DescribedConsumerGroup,
} from './consumer/describeConsumerGroup.ts';
import { describeGroup, type DescribedGroup, listGroups } from './groupQueries.ts';
import type { GroupShard } from './groupShard.ts';
import type * as m from './messages.ts';

/** What people are told of groups. Promises do not reject. */
export class GroupReports {
  readonly #runtimes: PartitionRuntimes<GroupShard>;

  constructor(runtimes: PartitionRuntimes<GroupShard>) {
    this.#runtimes = runtimes;
  }

  async consumerGroupDescribe(
    request: m.ConsumerGroupDescribeRequest,
    { inTurns }: m.GroupRequestContext,
  ): Promise<m.ConsumerGroupDescribeResponse> {
    const work = mapInSteps(request.groupIds, (groupId) => {
      if (groupId === '') return { groupId, errorCode: errorCodes.INVALID_GROUP_ID };
      return this.#runtimes.read<DescribedConsumerGroup>(
        groupId,
        (errorCode) => ({ groupId, errorCode }),
        ({ state }) => describeConsumerGroup(state, groupId),
      );
    });
    return { groups: await inTurns(work) };
  }

  async describeGroups(
    request: m.DescribeGroupsRequest,
    { apiVersion, inTurns }: m.GroupRequestContext,
  ): Promise<m.DescribeGroupsResponse> {
    const work = mapInSteps(request.groups, (groupId) =>
      this.#runtimes.read<DescribedGroup>(
        groupId,
        (errorCode) => ({ groupId, errorCode }),
        ({ state }) => describeGroup(state, groupId, apiVersion),
      ),
    );
    return { groups: await inTurns(work) };
  }

  async listGroups(
    request: m.ListGroupsRequest,
    { inTurns }: m.GroupRequestContext,
  ): Promise<m.ListGroupsResponse> {
    if (this.#runtimes.isAnyLoading) {
      return { errorCode: errorCodes.COORDINATOR_LOAD_IN_PROGRESS };
    }
    const { shards } = this.#runtimes;
    const groups = await Promise.all(
      shards.map(({ state }) => inTurns(listGroups(state, request))),
    );
    return { groups: groups.flat() };
  }
}
