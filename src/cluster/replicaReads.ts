import { t } from '../base/l10n.ts';
import { errorCodes } from '../protocol/errors.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import { KafkaError, throwIfCancelled, throwOnError } from '../client/kafkaError.ts';
import type { TopicPartition } from '../client/partitionMap.ts';
import type { CallOptions, ResponseOf } from '../client/request.ts';
import type { Readable, Replica } from './model.ts';
import { toProblem } from './problems.ts';

/**
 * A reader that is no follower and yet sees a replica as it is: any replica answers it, up to its log end.
 * [ListOffsetsRequest]
 */
const debuggingConsumer = -2;
const latest = -1n;
const readUncommitted = 0;

/** Nobody waits longer for what is beside the offsets. */
const timeoutMs = 5000;

/** Each replica of a partition, asked of the broker that holds it. What cannot be read of one is a problem in it. */
export function readReplicas(
  client: KafkaClient,
  at: TopicPartition & { readonly replicas: readonly number[] },
  { signal }: CallOptions,
): Promise<Replica[]> {
  const call = { signal, timeoutMs };
  return Promise.all(
    at.replicas.map(async (broker) => {
      const [logEndOffset, log] = await Promise.all([
        readable(readLogEnd(client, { ...at, broker }, call), call),
        readable(readLog(client, { ...at, broker }, call), call),
      ]);
      return { broker, logEndOffset, log };
    }),
  );
}

interface AtBroker extends TopicPartition {
  readonly broker: number;
}

async function readable<T>(read: Promise<T>, { signal }: CallOptions): Promise<Readable<T>> {
  try {
    return { value: await read };
  } catch (error) {
    throwIfCancelled(signal);
    return { problem: toProblem(error) };
  }
}

/** Of a replica of no more than the follower's right: the log end is not in any answer to consumers. */
async function readLogEnd(
  client: KafkaClient,
  { topic, partition, broker }: AtBroker,
  call: CallOptions,
): Promise<bigint> {
  const asked = { partitionIndex: partition, currentLeaderEpoch: -1, timestamp: latest };
  const body = {
    replicaId: debuggingConsumer,
    isolationLevel: readUncommitted,
    topics: [{ name: topic, partitions: [asked] }],
  };
  const { topics } = await client.request('listOffsets', body, { to: broker, ...call });
  const answer = topics[0]?.partitions[0];
  if (!answer) throw new Error(t('the broker did not answer for it'));
  throwOnError(answer.errorCode, { api: 'listOffsets', topic, partition });
  return answer.offset;
}

async function readLog(
  client: KafkaClient,
  { topic, partition, broker }: AtBroker,
  call: CallOptions,
): Promise<{ readonly sizeBytes: bigint; readonly directory: string }> {
  const body = { topics: [{ topic, partitions: [partition] }] };
  const response = await client.request('describeLogDirs', body, { to: broker, ...call });
  throwOnError(response.errorCode, { api: 'describeLogDirs' });
  for (const { logDir: directory, topics, errorCode } of response.results) {
    const found = errorCode === errorCodes.NONE && current(topics);
    if (found) return { sizeBytes: found.partitionSize, directory };
  }
  // Who may not describe the cluster is told of no directory at all, and of no error before version 3.
  if (response.results.length === 0) {
    throw new KafkaError(errorCodes.CLUSTER_AUTHORIZATION_FAILED, { api: 'describeLogDirs' });
  }
  throw new Error(t('the broker has no log of it'));
}

type LogDirTopics = ResponseOf<'describeLogDirs'>['results'][number]['topics'];

/** Not the copy that is on its way to another directory. */
function current(topics: LogDirTopics): LogDirTopics[number]['partitions'][number] | undefined {
  return topics[0]?.partitions.find(({ isFutureKey }) => !isFutureKey);
}
