import * as v from 'valibot';
import type { ClusterOperations } from '../broker/clusterOperations.ts';
import { controlBroker } from '../shared/contracts/control.ts';
import { maintenanceTasks } from '../shared/maintenance.ts';
import type { EmbeddedControls } from './contract.ts';
import { shown } from './shown.ts';

interface Controlled {
  /** Address of the control channel. */
  readonly address: string;
  readonly operations: ClusterOperations;
  readonly isStopped: () => boolean;
}

/** The operations with the same bounds as over the control channel, in words, for as long as the cluster runs. */
export function controlsOf({ address, operations, isStopped }: Controlled): EmbeddedControls {
  const { advanceClock, runMaintenance, removeGroupMembers } = controlBroker;
  const assertRunning = (): void => {
    if (isStopped()) throw new Error('this cluster has been stopped');
  };
  const whileRunning = async <T>(work: () => Promise<T>): Promise<T> => {
    assertRunning();
    try {
      return await work();
    } catch (error) {
      assertRunning(); // what fails since the cluster was stopped meanwhile says nothing of its own
      throw error;
    }
  };
  return {
    address,
    advanceClock: (byMs) =>
      whileRunning(async () => {
        const takes =
          'advanceClock takes whole milliseconds from 0 to a hundred years; a clock goes forward only';
        return operations.advanceClock(checked(advanceClock.params, { byMs }, takes).byMs);
      }),
    runMaintenance: (tasks = maintenanceTasks) =>
      whileRunning(async () => {
        const takes = `runMaintenance takes a list of ${maintenanceTasks.join(', ')}, or nothing, which is all of them`;
        return operations.runMaintenance(checked(runMaintenance.params, { tasks }, takes).tasks);
      }),
    removeGroupMembers: (groupId) =>
      whileRunning(async () => {
        const takes = 'removeGroupMembers takes the id of a group';
        const params = checked(removeGroupMembers.params, { groupId }, takes);
        return operations.removeGroupMembers(params.groupId);
      }),
  };
}

/** The only argument of a call, if it fits; what it takes and what it was given otherwise. */
function checked<S extends v.GenericSchema>(
  schema: S,
  given: Readonly<Record<string, unknown>>,
  takes: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  throw new TypeError(`${takes}; it was given ${shown(Object.values(given)[0])}`);
}
