import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { seededRandom } from '../../../../src/base/random.ts';
import { inOneGo } from '../../../../src/base/turns.ts';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';
import { planTopicConfigs } from '../../../../src/broker/controller/alterConfigs.ts';
import { bootstrapMetadata } from '../../../../src/broker/controller/bootstrapMetadata.ts';
import {
  Controller,
  type MetadataDecision,
  type NewMetadataRecord,
  type TopicChange,
} from '../../../../src/broker/controller/controller.ts';
import { planPartitions, removeTopic } from '../../../../src/broker/controller/createPartitions.ts';
import { type NewTopic, planTopic } from '../../../../src/broker/controller/createTopics.ts';
import { newClusterLevels } from '../../../../src/broker/controller/features.ts';
import type { MetadataImage } from '../../../../src/broker/controller/metadataImage.ts';
import { ProducerIds } from '../../../../src/broker/controller/producerIds.ts';
import type { FileSystem, OpenFile } from '../../../../src/storage/fileSystem.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { MemoryFileSystem } from '../../../support/memoryFileSystem.ts';

const random = seededRandom(7);
const rules = { config: new BrokerConfig(), brokers: [1], cordoned: new Set<number>(), random };

function openController(
  fileSystem: FileSystem,
  apply: (changes: readonly TopicChange[]) => Promise<void> = () => Promise.resolve(),
  { logger = silentLogger, clock = new ManualClock() } = {},
): Promise<Controller> {
  return Controller.open({
    fileSystem,
    clock,
    random,
    logger,
    directory: '/data/controller',
    clusterId: 'cluster',
    bootstrap: bootstrapMetadata(newClusterLevels, '1'),
    apply: ({ topics }) => apply(topics),
  });
}

const topic = (name: string, more: Partial<NewTopic> = {}): NewTopic => ({
  name,
  partitionCount: 2,
  replicationFactor: 1,
  configs: new Map(),
  ...more,
});

const create = (controller: Controller, wanted: NewTopic) =>
  controller.change((image) => planTopic(image, wanted, rules));

/** What the broker's log is told. */
function listener() {
  const errors: string[] = [];
  return { errors, logger: { ...silentLogger, error: (said: string) => void errors.push(said) } };
}

/** All that an image says, to be compared. */
function contentOf(image: MetadataImage): unknown {
  return {
    offset: image.offset,
    nextProducerId: image.nextProducerId,
    features: [...image.features],
    topics: [...image.topics.values()].map((each) => ({ ...each, configs: [...each.configs] })),
  };
}

describe('the controller', () => {
  it('has the same metadata after a restart as before it, however it ended', async () => {
    for (const end of ['close', 'kill'] as const) {
      const fileSystem = new MemoryFileSystem();
      const controller = await openController(fileSystem);
      await create(controller, topic('a', { configs: new Map([['retention.ms', '5']]) }));
      await create(controller, topic('b'));
      await controller.change((image) =>
        decisionOf(planPartitions(image, { name: 'a', count: 5, assignments: null }, rules)),
      );
      await controller.change((image) => {
        const change = { name: 'retention.ms', operation: 1, value: null };
        return decisionOf(inOneGo(planTopicConfigs(image, 'a', [change], () => '')));
      });
      await controller.change((image) => ({
        records: [removeTopic('b', image.topic('b')?.topicId ?? '')],
        result: undefined,
      }));
      await new ProducerIds(controller, 1).take();
      const before = contentOf(controller.image);
      if (end === 'close') await controller.close();
      else fileSystem.kill();
      const reopened = await openController(fileSystem);
      assert.deepEqual(contentOf(reopened.image), before);
      assert.equal(reopened.image.topic('a')?.partitions.length, 5);
      assert.equal(reopened.image.topic('a')?.configs.size, 0);
      assert.equal(reopened.image.topic('b'), undefined);
      await reopened.close();
    }
  });

  it('decides one change after the other, each on what the last one left', async () => {
    const controller = await openController(new MemoryFileSystem());
    const results = await Promise.all(
      Array.from({ length: 5 }, () => create(controller, topic('same'))),
    );
    const made = results.filter((result) => 'topicId' in result);
    assert.equal(made.length, 1);
    assert.deepEqual(
      results.flatMap((result) => ('error' in result ? [result.error] : [])),
      Array(4).fill('TOPIC_ALREADY_EXISTS'),
    );
    await controller.close();
  });

  it('answers a change only when the brokers follow it', async () => {
    const followed: string[] = [];
    const controller = await openController(new MemoryFileSystem(), async (changes) => {
      await new Promise((resolve) => setImmediate(resolve));
      followed.push(...changes.map(({ name }) => name));
    });
    await create(controller, topic('a'));
    assert.deepEqual(followed, ['a']);
    await controller.close();
  });

  it('tells the brokers what a topic was and what it is', async () => {
    const seen: [number | undefined, number | undefined][] = [];
    const controller = await openController(new MemoryFileSystem(), (changes) => {
      for (const { before, after } of changes) {
        seen.push([before?.partitions.length, after?.partitions.length]);
      }
      return Promise.resolve();
    });
    await create(controller, topic('a'));
    await controller.change((image) =>
      decisionOf(planPartitions(image, { name: 'a', count: 3, assignments: null }, rules)),
    );
    const topicId = controller.image.topic('a')?.topicId ?? '';
    await controller.change(() => ({ records: [removeTopic('a', topicId)], result: undefined }));
    assert.deepEqual(seen, [
      [undefined, 2],
      [2, 3],
      [3, undefined],
    ]);
    await controller.close();
  });

  it('changes nothing where the log cannot be written, and goes on when it can again', async () => {
    const fileSystem = new MemoryFileSystem();
    const controller = await openController(fileSystem);
    await create(controller, topic('a'));
    fileSystem.fail('write', 'EIO', { path: /__cluster_metadata/ });
    await assert.rejects(create(controller, topic('b')), { error: 'KAFKA_STORAGE_ERROR' });
    assert.equal(controller.image.topic('b'), undefined);
    fileSystem.clearFaults();
    await create(controller, topic('c'));
    assert.deepEqual([...controller.image.topics.keys()], ['a', 'c']);
    await controller.close();
    const reopened = await openController(fileSystem);
    assert.deepEqual([...reopened.image.topics.keys()], ['a', 'c']);
    await reopened.close();
  });

  it('[A4] has on the disk what it has answered, however soon the power goes', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const fileSystem = new MemoryFileSystem({ random: seededRandom(seed) });
      const controller = await openController(fileSystem);
      const answered: string[] = [];
      const underWay = Array.from({ length: 12 }, async (_, n) => {
        await create(controller, topic(`t${n}`, { partitionCount: 40 }));
        answered.push(`t${n}`);
      });
      await underWay[seed % 3];
      fileSystem.powerCut();
      await Promise.allSettled(underWay);
      const reopened = await openController(fileSystem);
      const lost = answered.filter((name) => !reopened.image.topic(name));
      assert.deepEqual(lost, [], `seed ${seed}`);
      assert.ok(answered.length > 0);
      await reopened.close();
    }
  });

  it('has a deletion on the disk before the brokers delete anything', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const fileSystem = new MemoryFileSystem({ random: seededRandom(seed) });
      const controller = await openController(fileSystem, (changes) => {
        if (changes.some(({ after }) => !after)) fileSystem.powerCut();
        return Promise.resolve();
      });
      await create(controller, topic('gone', { partitionCount: 40 }));
      const topicId = controller.image.topic('gone')?.topicId ?? '';
      const deletion = { records: [removeTopic('gone', topicId)], result: undefined };
      await controller.change(() => deletion);
      const reopened = await openController(fileSystem);
      assert.equal(reopened.image.topic('gone'), undefined, `seed ${seed}`);
      await reopened.close();
    }
  });

  it('flushes changes together that come together', async () => {
    const { fileSystem, syncs } = slowToSync();
    const controller = await openController(fileSystem);
    const before = syncs();
    await Promise.all(Array.from({ length: 200 }, (_, n) => create(controller, topic(`t${n}`))));
    const during = syncs() - before;
    assert.ok(during > 0 && during < 100, `${during} syncs`);
    await controller.close();
  });

  it('waits, where there is nothing to do, for the change that made it so', async () => {
    const fileSystem = new MemoryFileSystem();
    const controller = await openController(fileSystem);
    fileSystem.fail('sync', 'EIO', { path: /__cluster_metadata/ });
    const answers = await Promise.allSettled([
      create(controller, topic('a')),
      create(controller, topic('a')),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    await controller.close();
  });

  it('says so where the disk refuses a flush, and changes nothing more before it was opened again', async () => {
    const fileSystem = new MemoryFileSystem();
    const { errors, logger } = listener();
    const controller = await openController(fileSystem, undefined, { logger });
    await create(controller, topic('a'));
    fileSystem.fail('sync', 'EIO', { path: /__cluster_metadata/ });
    await assert.rejects(create(controller, topic('b')), { error: 'KAFKA_STORAGE_ERROR' });
    const { offset } = controller.image;
    await assert.rejects(create(controller, topic('c')), { error: 'KAFKA_STORAGE_ERROR' });
    assert.equal(controller.image.offset, offset);
    const told = errors.filter((error) => error.startsWith('the metadata log'));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /cannot be flushed.*EIO.*started again/);
    await controller.close();
    const reopened = await openController(fileSystem);
    assert.ok(reopened.image.topic('a'));
    await create(reopened, topic('d'));
    await reopened.close();
  });

  it('answers nothing for durable after a flush in the background failed', async () => {
    const fileSystem = new MemoryFileSystem();
    await create(await openController(fileSystem), topic('a'));
    fileSystem.kill();
    const clock = new ManualClock();
    const { errors, logger } = listener();
    const controller = await openController(fileSystem, undefined, { clock, logger });
    fileSystem.fail('sync', 'EIO', { path: /__cluster_metadata/ });
    while (errors.length === 0) {
      clock.advance(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await assert.rejects(create(controller, topic('b')), { error: 'KAFKA_STORAGE_ERROR' });
    await controller.close();
  });

  it('never hands out a producer id twice, over restarts and kills', async () => {
    const fileSystem = new MemoryFileSystem();
    const seen = new Set<bigint>();
    let taken = 0;
    for (let round = 0; round < 4; round++) {
      const controller = await openController(fileSystem);
      const ids = new ProducerIds(controller, 1);
      const batch = await Promise.all(Array.from({ length: 600 }, () => ids.take()));
      for (const id of batch) seen.add(id);
      taken += batch.length;
      if (round % 2 === 0) await controller.close();
      else fileSystem.kill();
    }
    assert.equal(seen.size, taken);
  });
});

/** A disk as most are: a sync takes much longer than a write. */
function slowToSync(): { fileSystem: FileSystem; syncs: () => number } {
  const memory = new MemoryFileSystem();
  const sync = async (file: OpenFile): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    await file.sync();
  };
  const slow = (file: OpenFile): OpenFile => ({ ...file, sync: () => sync(file) });
  const session = memory.session();
  const open: FileSystem['open'] = async (path, mode) => slow(await session.open(path, mode));
  return { fileSystem: { ...session, open }, syncs: () => memory.counts.sync };
}

function decisionOf<T extends { readonly records: readonly NewMetadataRecord[] }>(
  plan: T,
): MetadataDecision<T> {
  return { records: plan.records, result: plan };
}
