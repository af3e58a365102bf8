// Topics that are made, grown, deleted and made again, in any order.
import { compareRandomly, type Sequence } from './support/randomSequences.ts';

const topics: Sequence = async (run, chance) => {
  const names = [run.fresh(), run.fresh(), run.fresh()];
  for (let step = 0; step < 40; step++) {
    const name = chance.of(names);
    const ask = chance.step([
      [3, create],
      [2, grow],
      [2, remove],
    ]);
    await ask(name);
  }

  async function create(name: string) {
    const numPartitions = chance.of([-1, 0, 1, 3]);
    const replicationFactor = chance.of([-1, 1, 1, 2]);
    const topic = { name, numPartitions, replicationFactor, assignments: [], configs: [] };
    const version = chance.of(run.versions('createTopics'));
    await run.ask('createTopics', version, {
      topics: [topic],
      timeoutMs: 10_000,
      ...(version >= 1 && { validateOnly: chance.oneIn(5) }),
    });
  }

  async function grow(name: string) {
    await run.ask('createPartitions', chance.of(run.versions('createPartitions')), {
      topics: [{ name, count: chance.below(6), assignments: null }],
      timeoutMs: 10_000,
      validateOnly: chance.oneIn(5),
    });
  }

  async function remove(name: string) {
    const version = chance.of(run.versions('deleteTopics'));
    await run.ask('deleteTopics', version, {
      ...(version >= 6 ? { topics: [{ name }] } : { topicNames: [name] }),
      timeoutMs: 10_000,
    });
  }
};

compareRandomly('open', { topics });
