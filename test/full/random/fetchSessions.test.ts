// Fetch sessions [KIP-227], while the topics in them are written to, cut short, deleted, made anew and set otherwise.
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import { int32Max, produceTo } from '../../differential/support/requests.ts';
import { type ChangingTopic, ChangingTopics } from './support/changingTopics.ts';
import { distinct } from './support/distinct.ts';
import { randomBatch } from './support/randomBatches.ts';
import { compareRandomly, type Sequence } from './support/randomSequences.ts';

interface Session {
  id: number;
  /** Of the next fetch in it. */
  epoch: number;
  readonly version: number;
}

type Topics = NonNullable<RequestInput<'fetch'>['topics']>;

const sessions: Sequence = async (run, chance) => {
  const topics = new ChangingTopics(run, chance);
  const open: Session[] = [];
  await topics.make(3);
  for (let step = 0; step < 60; step++) {
    const ask = chance.step([
      [3, begin],
      [20, goOn],
      [3, goWrong],
      [1, endOne],
      [10, produce],
      [3, deleteRecords],
      [2, () => topics.deleteOrMake()],
      [1, () => topics.configure()],
    ]);
    await ask();
  }
  // There is room for so many of them only.
  for (const session of open) await fetch({ ...session, epoch: -1 }, []);

  async function begin() {
    const version = chance.of(run.versions('fetch').filter((each) => each >= 7));
    const id = await fetch({ id: 0, epoch: 0, version }, asked(version, chance.below(4)));
    if (id > 0) open.push({ id, epoch: 1, version });
  }

  async function goOn() {
    if (open.length === 0) return begin();
    const session = chance.of(open);
    const other = chance.of([7, 12, 13, 18]);
    const version = chance.oneIn(20) ? other : session.version;
    const { id, epoch } = session;
    const named = chance.oneIn(2) ? [] : asked(version, 1 + chance.below(2));
    const forgotten = chance.oneIn(4) ? forgetting(version) : [];
    const answered = await fetch({ id, epoch, version }, named, forgotten);
    if (answered > 0) session.epoch++;
  }

  /** With an epoch or an id that is not the one, or from the beginning. */
  async function goWrong() {
    const { id, epoch, version } =
      open.length > 0 ? chance.of(open) : { id: 7, epoch: 1, version: 12 };
    const wrong = chance.of([
      { id, epoch: epoch + 1 },
      { id, epoch: epoch - 1 },
      { id, epoch: int32Max },
      { id, epoch: -2 },
      { id: 0, epoch },
      { id: id ^ 1, epoch },
      { id: id ^ 1, epoch: -1 },
    ]);
    await fetch({ ...wrong, version }, asked(version, chance.below(2)));
  }

  async function endOne() {
    if (open.length === 0) return;
    const [session] = open.splice(chance.below(open.length), 1);
    if (!session) return;
    const isAnew = chance.oneIn(2);
    const epoch = isAnew ? 0 : -1;
    const { id, version } = session;
    const answered = await fetch({ id, epoch, version }, asked(version, chance.below(3)));
    if (isAnew && answered > 0) open.push({ id: answered, epoch: 1, version });
    await fetch({ id, epoch: session.epoch, version }, []);
  }

  /** Sessions have random ids: what is compared is whether there is one. */
  async function fetch(
    { id, epoch, version }: Session,
    named: Topics,
    forgottenTopicsData: NonNullable<RequestInput<'fetch'>['forgottenTopicsData']> = [],
  ): Promise<number> {
    const { sessionId, ...rest } = await run.prepare('fetch', version, {
      maxWaitMs: 0,
      minBytes: chance.below(2),
      maxBytes: chance.of(bytes()),
      isolationLevel: chance.below(2),
      sessionId: id,
      sessionEpoch: epoch,
      topics: named,
      forgottenTopicsData,
    });
    run.note('fetch', version, { ...rest, hasSession: sessionId > 0 }, `epoch ${epoch}`);
    return sessionId;
  }

  function asked(version: number, count: number): Topics {
    return distinct(count, () => topics.get()).map((topic) => ({
      ...named(topic, version),
      partitions: distinct(1 + chance.below(3), () => topics.partitionOf(topic)).map(
        (partition) => ({
          partition,
          fetchOffset: chance.oneIn(10) ? -1n : BigInt(chance.below(12)),
          partitionMaxBytes: chance.of(bytes()),
          currentLeaderEpoch: chance.oneIn(10) ? chance.below(2) : -1,
        }),
      ),
    }));
  }

  function forgetting(version: number) {
    return distinct(1 + chance.below(2), () => topics.get()).map((topic) => ({
      ...named(topic, version),
      partitions: distinct(1 + chance.below(3), () => topics.partitionOf(topic)),
    }));
  }

  function named(topic: ChangingTopic, version: number) {
    return version >= 13 ? { topicId: topics.idOf(topic) } : { topic: topics.nameOf(topic) };
  }

  function bytes(): readonly number[] {
    return topics.isRecompressed ? [0, 1, int32Max, int32Max] : [0, 1, 150, 500, int32Max];
  }

  async function produce() {
    const topic = topics.get();
    const [version, index] = [run.latest('produce'), topics.partitionOf(topic)];
    const batch = randomBatch(chance, 1 + chance.below(3));
    await run.ask('produce', version, produceTo(topic, version, batch, { index }));
  }

  async function deleteRecords() {
    const topic = topics.get();
    const offset = chance.oneIn(3) ? -1n : BigInt(chance.below(8));
    const partitions = [{ partitionIndex: topics.partitionOf(topic), offset }];
    await run.last('deleteRecords', {
      topics: [{ name: topic.name, partitions }],
      timeoutMs: 10_000,
    });
  }
};

compareRandomly('open', { sessions });
