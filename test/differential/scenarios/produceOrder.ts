// Produce: what comes first where more than one thing is wrong, and what is not there at all.
import { readBatchHeader, writeBatchHeader } from '../../../src/protocol/records/recordBatch.ts';
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import { batchOf, produceTo, unknownTopicId } from '../support/requests.ts';
import type { Scenarios, Topic } from '../support/run.ts';
import { begin, sendOf, settled } from '../support/transactionRequests.ts';

type Sent = Buffer | null;
type Topics = NonNullable<RequestInput<'produce'>['topicData']>;

const noSuchAcks = 2;
const twoVersions = [9, 13];

const sentTo = (topic: { name: string; id: string }, version: number, records: Sent, index = 0) =>
  produceTo(topic, version, records, { index }).topicData ?? [];

const request = (topicData: Topics, acks = -1): RequestInput<'produce'> => ({
  acks,
  timeoutMs: 10_000,
  topicData,
});

/** What partition 0 is sent, one after the other, in one entry of the topic. */
const inOneTopic = ({ name, id }: Topic, version: number, sent: readonly Sent[]): Topics => [
  {
    ...(version >= 13 ? { topicId: id } : { name }),
    partitionData: sent.map((records) => ({ index: 0, records })),
  },
];

const good = batchOf(['a']);
const empty = Buffer.alloc(0);

function ofNoCodec(batch: Buffer): Buffer {
  const bytes = Buffer.from(batch);
  const header = readBatchHeader(bytes);
  writeBatchHeader(bytes, { ...header, compression: 6 });
  return bytes;
}

const two = Buffer.concat([batchOf(['a']), batchOf(['b'])]);

export const produceOrderScenarios: Scenarios = {
  async 'acks that do not exist, and what else is wrong'(run) {
    const topic = await run.topic({ partitions: 2, configs: { 'max.message.bytes': '100' } });
    const ghost = { name: run.fresh('ghost'), id: unknownTopicId };
    const sent: Readonly<Record<string, Sent>> = {
      'no batch': empty,
      'two batches': two,
      'too large': batchOf(['a'.repeat(200)]),
      'of a codec': batchOf(['a'], { compression: 'zstd' }),
      'of a producer that skips': batchOf(['a'], {
        producerId: 7n,
        producerEpoch: 0,
        baseSequence: 9,
      }),
    };
    const acks = noSuchAcks;
    for (const [label, records] of Object.entries(sent))
      await run.each('produce', (version) => produceTo(topic, version, records, { acks }), label);
    await run.each(
      'produce',
      (version) => produceTo(ghost, version, good, { acks }),
      'a topic that is not there',
    );
    await run.each(
      'produce',
      (version) => produceTo(topic, version, good, { acks, index: 5 }),
      'a partition that is not there',
    );
    await run.each(
      'produce',
      (version) =>
        request([...sentTo(topic, version, good), ...sentTo(ghost, version, good)], noSuchAcks),
      'beside what is not there',
    );
    const twice = [
      [good, empty],
      [empty, good],
    ];
    for (const each of twice)
      await run.each(
        'produce',
        (version) => request(inOneTopic(topic, version, each), noSuchAcks),
        'a partition twice',
      );
    await run.each('produce', () => request([], noSuchAcks), 'nothing');
  },

  async 'acks that do not exist, to internal topics'(run) {
    const group = run.fresh('group');
    await run.until(
      ['findCoordinator', 4, { keyType: 0, coordinatorKeys: [group] }],
      ({ coordinators: [found] }) => found?.errorCode === 0,
    );
    for (const version of run.versions('produce').filter((each) => each < 13)) {
      const internal = { name: '__consumer_offsets', id: '' };
      await run.ask('produce', version, produceTo(internal, version, good, { acks: noSuchAcks }));
    }
  },

  async 'acks that do not exist, in a transaction'(run) {
    for (const version of run.versions('produce')) {
      const topic = await run.topic();
      const identity = await begin(run);
      const sent = { ...sendOf(identity, topic, version), acks: noSuchAcks };
      await run.ask('produce', version, sent);
      await run.ask('describeTransactions', 0, { transactionalIds: [identity.transactionalId] });
      await run.ask('produce', version, sendOf(identity, topic, version), { label: 'acks all' });
      await run.prepare('endTxn', 4, { ...identity, committed: false });
      await settled(run, identity);
    }
  },

  async 'a batch that says it is too short for its header'(run) {
    const topic = await run.topic();
    const other = await run.topic();
    const transactionalId = run.fresh('transaction');
    const sender = { producerId: 7n, producerEpoch: 0, baseSequence: 0 };
    for (const isTransactional of [false, true])
      for (const length of [13, 14, 30, 31, 38, 39, 40, 41, 44, 45, 48, 49]) {
        const batch = batchOf(['a'], { ...sender, isTransactional });
        batch.writeInt32BE(length, 8);
        const short = batch.subarray(0, 12 + length);
        for (const version of twoVersions)
          for (const id of [null, transactionalId]) {
            const label = `${length} bytes, ${isTransactional ? 'in a transaction' : ''} ${id}`;
            const both = [...sentTo(topic, version, short), ...sentTo(other, version, good)];
            const sent = { ...request(both), transactionalId: id };
            await run.ask('produce', version, sent, { label });
            await run.ask('produce', version, { ...sent, acks: noSuchAcks }, { label });
            await run.closing('produce', version, { ...sent, acks: 0 }, label);
          }
      }
  },

  async 'a batch that says it is too short for its header, beside another and beside nothing at all'(
    run,
  ) {
    const topic = await run.topic({ partitions: 2 });
    const ghost = { name: run.fresh('ghost'), id: unknownTopicId };
    for (const length of [14, 38, 39, 48]) {
      const batch = batchOf(['a']);
      batch.writeInt32BE(length, 8);
      const short = batch.subarray(0, 12 + length);
      for (const version of run.versions('produce'))
        for (const [label, topicData] of Object.entries({
          'and a batch': sentTo(topic, version, Buffer.concat([short, good])),
          'a batch, and it': sentTo(topic, version, Buffer.concat([good, short])),
          twice: sentTo(topic, version, Buffer.concat([short, short])),
          'before a batch': inOneTopic(topic, version, [short, good]),
          'after a batch': inOneTopic(topic, version, [good, short]),
          'what is not there': [
            ...sentTo(topic, version, short),
            ...sentTo(ghost, version, good),
            ...sentTo(topic, version, good, 7),
          ],
          'to what is not there': [
            ...sentTo(ghost, version, short),
            ...sentTo(topic, version, good),
          ],
        }))
          await run.ask('produce', version, request(topicData), { label: `${length}: ${label}` });
    }
  },

  async 'a batch of a codec that is none, and what else is wrong'(run) {
    const configs = { 'max.message.bytes': '100' };
    const topic = await run.topic({ partitions: 2, configs });
    const ghost = { name: run.fresh('ghost'), id: unknownTopicId };
    const transactionalId = run.fresh('transaction');
    const sender = { producerId: 7n, producerEpoch: 0, baseSequence: 0, isTransactional: true };
    const none = ofNoCodec(good);
    const moved = Buffer.from(none);
    moved.writeBigInt64BE(5n, 0);
    const broken = Buffer.from(none);
    broken.writeUInt8(broken.readUInt8(20) ^ 1, 20);
    for (const version of run.versions('produce')) {
      const ask = (label: string, topicData: Topics, acks = -1): Promise<unknown> =>
        run.ask('produce', version, { ...request(topicData, acks), transactionalId }, { label });
      const first = sentTo(topic, version, none);
      await ask('alone', first);
      await ask('acks', first, noSuchAcks);
      await ask('too large', sentTo(topic, version, ofNoCodec(batchOf(['a'.repeat(200)]))));
      await ask('its offset', sentTo(topic, version, moved));
      await ask('its checksum', sentTo(topic, version, broken));
      await ask('in a transaction', sentTo(topic, version, ofNoCodec(batchOf(['a'], sender))));
      await ask('twice', sentTo(topic, version, Buffer.concat([none, none])));
      await ask('behind another', sentTo(topic, version, Buffer.concat([good, none])));
      await ask('before a batch', inOneTopic(topic, version, [none, good]));
      await ask('after a batch', inOneTopic(topic, version, [good, none]));
      await ask('beside a batch', [...first, ...sentTo(topic, version, good, 1)]);
      await ask('to what is not there', sentTo(ghost, version, none));
    }
  },

  async 'batches of two producers in transactions'(run) {
    const topic = await run.topic({ partitions: 3 });
    const ghost = { name: run.fresh('ghost'), id: unknownTopicId };
    const transactionalId = run.fresh('transaction');
    const of = (producerId: bigint, isTransactional = true, producerEpoch = 0) =>
      batchOf(['a'], { producerId, producerEpoch, baseSequence: 0, isTransactional });
    for (const version of run.versions('produce'))
      for (const [label, sent] of Object.entries({
        'two ids': [of(7n), of(8n)],
        'two epochs': [of(7n), of(7n, true, 1)],
        'one without a transaction': [of(7n), of(8n, false)],
        'beside what is refused': [of(7n), of(8n), empty],
      })) {
        const topicData = sent.flatMap((records, i) => sentTo(topic, version, records, i));
        const beside = [...topicData, ...sentTo(ghost, version, good)];
        for (const each of [topicData, beside])
          for (const acks of [-1, noSuchAcks])
            await run.ask(
              'produce',
              version,
              { ...request(each, acks), transactionalId },
              { label },
            );
        await run.closing('produce', version, { ...request(beside, 0), transactionalId }, label);
      }
  },

  async 'a batch that says it is too short for its header, and is cut off'(run) {
    const topic = await run.topic();
    for (const length of [13, 14, 48]) {
      const batch = batchOf(['a']);
      batch.writeInt32BE(length, 8);
      for (const left of [16, 17, 11 + length])
        for (const version of twoVersions)
          await run.ask(
            'produce',
            version,
            request(sentTo(topic, version, batch.subarray(0, left))),
            { label: `${left} bytes of length ${length}` },
          );
    }
  },

  async 'no records at all, for what is not there'(run) {
    const topic = await run.topic();
    const ghost = { name: run.fresh('ghost'), id: unknownTopicId };
    await run.each('produce', (version) => produceTo(ghost, version, null), 'topic');
    await run.each('produce', (version) => produceTo(topic, version, null, { index: 3 }), 'index');
    await run.each(
      'produce',
      (version) => request([...sentTo(ghost, version, null), ...sentTo(topic, version, good)]),
      'beside what is there',
    );
    for (const version of twoVersions)
      await run.closing('produce', version, produceTo(ghost, version, null, { acks: 0 }), 'acks 0');
  },

  async 'no records at all, for a partition that is named twice'(run) {
    for (const acks of [-1, 1, noSuchAcks]) {
      const topic = await run.topic();
      await run.each(
        'produce',
        (version) => request(inOneTopic(topic, version, [null, good]), acks),
        `first, acks ${acks}`,
      );
    }
  },

  async 'no records at all where something was to be written'(run) {
    const topic = await run.topic({ partitions: 2 });
    const ghost = { name: run.fresh('ghost'), id: unknownTopicId };
    const sender = { producerId: 7n, producerEpoch: 0, baseSequence: 0, isTransactional: true };
    const version = run.latest('produce');
    const twice = (sent: readonly Sent[]) => request(inOneTopic(topic, version, sent));
    const unanswered: Readonly<Record<string, RequestInput<'produce'>>> = {
      'after a batch': twice([good, null]),
      'before two batches': twice([null, two]),
      'after two batches': twice([two, null]),
      'acks that do not exist': produceTo(topic, version, null, { acks: noSuchAcks }),
      'not there, beside a transaction of nobody': request([
        ...sentTo(topic, version, batchOf(['a'], sender)),
        ...sentTo(ghost, version, null),
      ]),
    };
    const twoProducers = [7n, 8n].flatMap((producerId, i) =>
      sentTo(topic, version, batchOf(['a'], { ...sender, producerId }), i),
    );
    const tooShort = batchOf(['a']);
    tooShort.writeInt32BE(38, 8);
    Object.assign(unanswered, {
      'not there, beside two producers': {
        ...request([...twoProducers, ...sentTo(ghost, version, null)]),
        transactionalId: run.fresh('transaction'),
      },
      'not there, beside a short batch': request([
        ...sentTo(topic, version, tooShort.subarray(0, 50)),
        ...sentTo(ghost, version, null),
      ]),
    });
    await Promise.all(
      Object.entries(unanswered).map(([label, body]) =>
        run.closing('produce', version, body, label),
      ),
    );
  },
};
