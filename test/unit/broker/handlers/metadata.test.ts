import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { inOneGo, isSteps } from '../../../../src/base/turns.ts';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';
import type { TopicFailure } from '../../../../src/broker/controller/createTopics.ts';
import { MetadataImage } from '../../../../src/broker/controller/metadataImage.ts';
import type { RequestContext, RequestOf } from '../../../../src/broker/handler.ts';
import { metadata } from '../../../../src/broker/handlers/metadata.ts';
import { errorByCode } from '../../../../src/protocol/errors.ts';
import { zeroUuid } from '../../../../src/protocol/schema.ts';
import { settle } from '../../coordinator/support/scenario.ts';

/** Asks for topics that are not there, of a broker that cannot make them; with what it is asked to make, and logs. */
async function ask(names: readonly string[], failureOf: (name: string) => TopicFailure) {
  const wanted: (readonly string[])[] = [];
  const logged: string[] = [];
  const context = {
    apiVersion: 13,
    session: { listener: 'PLAINTEXT' },
    access: { may: () => true, filter: () => () => true },
    node: {
      image: new MetadataImage(),
      autoTopics: {
        createTogether: (together: readonly string[]) => {
          wanted.push(together);
          return Promise.resolve(together.map(failureOf));
        },
      },
      cluster: {
        clusterId: 'cluster',
        config: new BrokerConfig(),
        endpoints: () => [],
        logger: { ...silentLogger, warn: (message: string) => void logged.push(message) },
      },
    },
  } as unknown as RequestContext;
  const request = {
    topics: names.map((name) => ({ name, topicId: zeroUuid })),
    allowAutoTopicCreation: true,
    includeClusterAuthorizedOperations: false,
    includeTopicAuthorizedOperations: false,
  } as RequestOf<'metadata'>;
  const handled = metadata.handle(request, context);
  const answer = isSteps(handled) ? inOneGo(handled) : await handled;
  await settle();
  const errors = answer?.topics?.map(({ errorCode }) => errorByCode(errorCode ?? 0).name);
  return { wanted, logged, errors };
}

const refused = (name: string): TopicFailure => ({
  name,
  error: 'INVALID_REPLICATION_FACTOR',
  message: 'there are too few brokers',
});

describe('Topics that are not there and are asked for', () => {
  it('[A2] are made together, but for those that cannot be named so', async () => {
    const { wanted, errors } = await ask(['one', '..', 'two'], refused);
    assert.deepEqual(wanted, [['one', 'two']]);
    const unknown = 'UNKNOWN_TOPIC_OR_PARTITION';
    assert.deepEqual(errors, [unknown, 'INVALID_TOPIC_EXCEPTION', unknown]);
  });

  it('[A2] and cannot be made, have one line in the log for each error', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `topic-${index}`);
    const { logged } = await ask([...names, 'a.b'], (name) =>
      name === 'a.b'
        ? { name, error: 'INVALID_TOPIC_EXCEPTION', message: 'it collides with a_b' }
        : refused(name),
    );
    assert.deepEqual(logged, [
      'cannot create topics topic-0, topic-1, topic-2 and 37 more: INVALID_REPLICATION_FACTOR, there are too few brokers',
      'cannot create topics a.b: INVALID_TOPIC_EXCEPTION, it collides with a_b',
    ]);
  });
});
