// Topics that were there before both brokers were started again: their leader epochs are 2.
import { fetchFrom } from '../support/requests.ts';
import type { Run, Scenarios } from '../support/run.ts';
import { restartedTopics } from '../support/sides.ts';

const epochs = [-1, 0, 1, 2, 3];

async function topicIdOf(run: Run, name: string): Promise<string> {
  const { topics } = await run.prepare('metadata', 12, { topics: [{ name }] });
  return topics[0]?.topicId ?? '';
}

/** What a client gets that knows the partition with an epoch, from before the restart or not. */
async function askedWith(run: Run, name: string, currentLeaderEpoch: number): Promise<void> {
  const label = `${name} ${currentLeaderEpoch}`;
  const id = await topicIdOf(run, name);
  for (const version of run.versions('fetch').filter((each) => each >= 9))
    await run.ask('fetch', version, fetchFrom({ name, id }, version, { currentLeaderEpoch }), {
      label,
    });
  for (const version of run.versions('listOffsets').filter((each) => each >= 4))
    for (const timestamp of [-1n, -2n, -3n, -4n, -5n])
      await run.ask(
        'listOffsets',
        version,
        {
          replicaId: -1,
          topics: [{ name, partitions: [{ partitionIndex: 0, currentLeaderEpoch, timestamp }] }],
        },
        { label: `${label} ${timestamp}` },
      );
  for (const leaderEpoch of epochs)
    await run.each(
      'offsetForLeaderEpoch',
      () => ({
        topics: [{ topic: name, partitions: [{ partition: 0, currentLeaderEpoch, leaderEpoch }] }],
      }),
      `${label} ${leaderEpoch}`,
    );
}

export const restartedScenarios: Scenarios = {
  async 'who knows an older leader epoch is fenced'(run) {
    for (const name of Object.values(restartedTopics))
      for (const epoch of epochs) await askedWith(run, name, epoch);
  },

  async 'a fetch that goes on from an older leader epoch'(run) {
    for (const name of Object.values(restartedTopics)) {
      const id = await topicIdOf(run, name);
      for (const lastFetchedEpoch of epochs)
        for (const fetchOffset of [0n, 2n])
          for (const version of run.versions('fetch').filter((each) => each >= 12))
            await run.ask(
              'fetch',
              version,
              fetchFrom({ name, id }, version, { lastFetchedEpoch, fetchOffset }),
              { label: `${name} ${lastFetchedEpoch} ${fetchOffset}` },
            );
    }
  },
};
