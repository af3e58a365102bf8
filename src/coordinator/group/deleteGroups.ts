import { type InTurns, mapInSteps, setInSteps, type Steps, workOnEach } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { PartitionWriter } from '../ports.ts';
import type { PartitionRuntimes } from '../runtime/partitionRuntimes.ts';
import { inOrderOfTextsCopied } from '../javaOrder.ts';
import { deleteGroup, planGroupDelete, refuseOver } from './groupDelete.ts';
import type { GroupShard } from './groupShard.ts';
import type { DeleteGroupsRequest, DeleteGroupsResponse } from './messages.ts';

interface DeleteOptions {
  readonly runtimes: PartitionRuntimes<GroupShard>;
  readonly writer: PartitionWriter;
  readonly inTurns: InTurns;
}

type ErrorCodeOf = (groupId: string) => number;

/**
 * Deletes groups: those of one partition in one decision, which becomes one batch, so that all of them stay where that
 * is more than the log takes. [GroupCoordinatorService.deleteGroups]
 */
export async function deleteGroups(
  { groupsNames }: DeleteGroupsRequest,
  options: DeleteOptions,
): Promise<DeleteGroupsResponse> {
  const { runtimes, inTurns } = options;
  const groupIds = await inTurns(setInSteps(groupsNames));
  const byPartition = await inTurns(inPartitions(groupIds, (id) => runtimes.partitionFor(id)));
  const codes = new Map<number, ErrorCodeOf>();
  const deleteIn = async ([partition, ids]: readonly [number, readonly string[]]) =>
    codes.set(partition, await deleteOfPartition(partition, ids, options));
  await workOnEach(byPartition, deleteIn, inTurns);
  const resultOf = (groupId: string) => ({
    groupId,
    errorCode: codes.get(runtimes.partitionFor(groupId))?.(groupId) ?? 0,
  });
  return { results: await inTurns(mapInSteps(groupIds, resultOf)) };
}

function* inPartitions(
  groupIds: Iterable<string>,
  partitionFor: (groupId: string) => number,
): Steps<Map<number, string[]>> {
  const byPartition = new Map<number, string[]>();
  for (const groupId of groupIds) {
    const partition = partitionFor(groupId);
    const present = byPartition.get(partition);
    if (present === undefined) byPartition.set(partition, [groupId]);
    else present.push(groupId);
    yield;
  }
  return byPartition;
}

async function deleteOfPartition(
  partition: number,
  groupIds: readonly string[],
  { runtimes, writer, inTurns }: DeleteOptions,
): Promise<ErrorCodeOf> {
  const maxBytes = writer.maxBatchBytes(partition);
  const planning = runtimes.read(
    groupIds[0] ?? '',
    () => undefined,
    ({ state }) => planGroupDelete(state, groupIds, maxBytes),
  );
  const plan = planning && (await inTurns(planning));
  return runtimes.writeAt<ErrorCodeOf>(partition, {
    onError: (errorCode) => () => errorCode,
    decide: ({ state }, decision, reply) => {
      const codes = new Map<string, number>();
      for (const groupId of inOrderOfTextsCopied(plan?.present ?? [], groupIds.length)) {
        const planned = { groupId, tombstones: plan?.tombstones.get(groupId), maxBytes };
        codes.set(groupId, deleteGroup(state, planned, decision));
        refuseOver(maxBytes, decision);
      }
      decision.answer(reply, (groupId) => codes.get(groupId) ?? errorCodes.GROUP_ID_NOT_FOUND);
    },
  });
}
