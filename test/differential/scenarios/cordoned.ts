// Log directories that get no new partitions [KIP-1066]: a broker with none left gets none.
import { type Change, changing, types } from '../support/configRequests.ts';
import type { Run, Scenarios } from '../support/run.ts';

const cordoned = 'cordoned.log.dirs';

const alter = (run: Run, broker: string, change: Change, validateOnly = false) =>
  run.last('incrementalAlterConfigs', changing(types.broker, broker, [change], validateOnly), {
    label: `${change.join(' ')} of "${broker}"`,
  });

/** Resolves once the broker has heard of it, and the controller from the broker. */
async function untilTold(run: Run, isSo: boolean): Promise<void> {
  await run.until(['describeLogDirs', 5, { topics: [] }], ({ results }) =>
    results.every(({ isCordoned }) => isCordoned === isSo),
  );
  const topic = { name: run.fresh('asked'), numPartitions: 1, replicationFactor: 1 };
  const request = { topics: [topic], timeoutMs: 10_000, validateOnly: true };
  await run.until(['createTopics', 7, request], ({ topics }) =>
    topics.every(({ errorCode }) => (errorCode !== 0) === isSo),
  );
}

async function tried(run: Run, topic: string, label: string): Promise<void> {
  const of = (more: object) => ({
    topics: [{ name: run.fresh('new'), numPartitions: -1, replicationFactor: -1, ...more }],
    timeoutMs: 10_000,
    validateOnly: true,
  });
  await run.last('createTopics', of({}), { label });
  const assigned = (...brokerIds: number[]) =>
    of({ assignments: [{ partitionIndex: 0, brokerIds }] });
  await run.last('createTopics', assigned(1), { label: `assigned, ${label}` });
  await run.last('createTopics', assigned(1, 1), { label: `assigned twice, ${label}` });
  await run.last('createTopics', assigned(1, 7), { label: `assigned to a stranger, ${label}` });
  const grown = (count: number, assignments: { brokerIds: number[] }[] | null) => ({
    topics: [{ name: topic, count, assignments }],
    timeoutMs: 10_000,
    validateOnly: true,
  });
  await run.last('createPartitions', grown(2, null), { label });
  await run.last('createPartitions', grown(2, [{ brokerIds: [1] }]), {
    label: `assigned, ${label}`,
  });
  await run.last('createPartitions', grown(1, null), { label: `no more, ${label}` });
}

/** What moves is told to stay, on this broker and in this directory. */
async function moved(run: Run, topic: string, label: string): Promise<void> {
  const { results } = await run.prepare('describeLogDirs', 5, { topics: [] });
  const topics = [{ name: topic, partitions: [0, 7] }];
  const dirs = [
    { path: results[0]?.logDir ?? '', topics },
    { path: '/nowhere', topics },
  ];
  for (const dir of dirs) await run.last('alterReplicaLogDirs', { dirs: [dir] }, { label });
  const moves = [[1], [1, 1], [1, 7], [7, 1], [0, 1], null].map((replicas) => ({
    timeoutMs: 10_000,
    topics: [{ name: topic, partitions: [{ partitionIndex: 0, replicas }] }],
  }));
  for (const move of moves) await run.last('alterPartitionReassignments', move, { label });
}

export const cordonedScenarios: Scenarios = {
  async 'a broker whose log directory is cordoned gets no partitions'(run) {
    const { name } = await run.topic();
    for (const broker of ['1', ''])
      for (const value of ['', '*', '*,*', '*,/nowhere', '/nowhere', ',*', ' * '])
        await alter(run, broker, [cordoned, 'set', value], true);
    for (const isSo of [false, true, false]) {
      const label = isSo ? 'cordoned' : 'not cordoned';
      await alter(run, '1', isSo ? [cordoned, 'set', '*'] : [cordoned, 'delete', null]);
      await untilTold(run, isSo);
      await tried(run, name, label);
      await moved(run, name, label);
      const auto = { topics: [{ name: run.fresh('auto') }], allowAutoTopicCreation: true };
      await run.last('metadata', auto, { label });
      await run.each('describeLogDirs', () => ({ topics: [] }), label);
    }
  },
};
