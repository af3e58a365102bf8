import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as v from 'valibot';
import { t } from '../../base/l10n.ts';
import { errorMessage, type Logger } from '../../base/logger.ts';
import { createTopic, deleteTopics } from '../../client/admin/topics.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { KafkaError, throwIfCancelled } from '../../client/kafkaError.ts';
import { produceMany, type RecordToProduce } from '../../client/produce.ts';
import type { ClusterSession } from '../clusterSession.ts';
import { ProblemError } from '../problems.ts';
import { runSampleConsumers, type SampleGroup } from './sampleConsumers.ts';

export interface SampleDataOptions {
  readonly session: ClusterSession;
  /** `dist/sample/flights.jsonl.gz`. */
  readonly dataPath: string;
  /** `dist/sample.js`, run by `executable`: the application whose groups are then there to look at. */
  readonly consumersPath: string;
  readonly executable: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** `fraction` from 0 to 1. */
  readonly onProgress: (message: string, fraction: number) => void;
}

export interface SampleDataResult {
  readonly topic: string;
  readonly recordCount: number;
  readonly groups: readonly string[];
}

export const sampleTopic = 'flights';
const partitionCount = 3;

/** One group that has read everything, and one that has not: so that there is a lag to look at. */
const groups: readonly SampleGroup[] = [
  { groupId: 'delay-alerts', share: 1 },
  { groupId: 'route-stats', share: 0.6 },
];

/** A flight in the United States in early 2001, as the file has it. */
const flight = v.object({
  date: v.string(),
  delay: v.number(),
  distance: v.number(),
  origin: v.string(),
  destination: v.string(),
});

/** The parts of the whole: creating, producing, consuming. */
const producedFraction = 0.6;

/**
 * Makes the topic `flights`, fills it, and lets two groups of a real application read it. Rejects where
 * the topic exists. Where it fails or is cancelled, the topic is deleted again.
 */
export function loadSampleData(options: SampleDataOptions): Promise<SampleDataResult> {
  return options.session.change(
    { kind: 'loadSample', topic: sampleTopic },
    (client, running) => {
      const onProduced = (done: number, total: number): void =>
        running.note({ progress: { done, total } });
      return load({ ...options, signal: running.signal, client, onProduced });
    },
    { signal: options.signal },
  );
}

interface Loading extends SampleDataOptions {
  readonly client: KafkaClient;
  readonly onProduced: (done: number, total: number) => void;
}

async function load(loading: Loading): Promise<SampleDataResult> {
  const { client, signal, onProgress } = loading;
  onProgress(t('reading the sample'), 0);
  const records = untilNow(await readFlights(loading.dataPath), client.clock.nowMs());
  await createSampleTopic(client, signal);
  try {
    await fill(loading, records);
    await runConsumers(loading, records.length);
  } catch (error) {
    await deleteTopics(client, [sampleTopic]).catch((failure: unknown) => {
      loading.logger.warn(`the sample topic could not be deleted again: ${errorMessage(failure)}`);
    });
    throw error;
  }
  onProgress('done', 1);
  return {
    topic: sampleTopic,
    recordCount: records.length,
    groups: groups.map(({ groupId }) => groupId),
  };
}

type SampleRecord = Omit<RecordToProduce, 'topic'>;

interface Flight extends SampleRecord {
  readonly timestamp: bigint;
}

/** Keyed by the airport of departure, so that the flights of an airport stay in order; at their own time. */
async function readFlights(dataPath: string): Promise<Flight[]> {
  const lines = (await promisify(gunzip)(await readFile(dataPath))).toString().split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const { date, origin } = v.parse(flight, JSON.parse(line));
      return {
        partition: null,
        key: Buffer.from(origin),
        value: Buffer.from(line),
        headers: [{ key: 'content-type', value: Buffer.from('application/json') }],
        timestamp: BigInt(Date.parse(`${date.replaceAll('/', '-').replace(' ', 'T')}:00Z`)),
      };
    });
}

/** As far apart as the flights were, and the last of them now: a group that has not read it all is days behind. */
function untilNow(flights: readonly Flight[], nowMs: number): SampleRecord[] {
  const last = flights.reduce(
    (latest, { timestamp }) => (timestamp > latest ? timestamp : latest),
    0n,
  );
  const since = BigInt(nowMs) - last;
  return flights.map((flight) => ({ ...flight, timestamp: flight.timestamp + since }));
}

/**
 * Timestamps are of the last three months, so that one can go to a time and see something. Retention counts from
 * them and would delete most of it within minutes: so there is none.
 */
async function createSampleTopic(client: KafkaClient, signal: AbortSignal): Promise<void> {
  const configs = { 'retention.ms': '-1' };
  const topic = { name: sampleTopic, partitionCount, replicationFactor: -1, configs };
  try {
    await createTopic(client, topic, { signal });
  } catch (error) {
    if (!(error instanceof KafkaError) || error.kafkaName !== 'TOPIC_ALREADY_EXISTS') throw error;
    throw new ProblemError(
      t('the sample is loaded already: topic {0} already exists', sampleTopic),
      t('Delete topic {0} to load it afresh.', sampleTopic),
    );
  }
}

async function fill(
  { client, signal, onProgress, onProduced }: Loading,
  records: readonly SampleRecord[],
): Promise<void> {
  await produceMany(client, sampleTopic, records, {
    signal,
    onProgress: (acknowledged) => {
      const fraction = (acknowledged / records.length) * producedFraction;
      onProgress(t('producing to {0}', sampleTopic), fraction);
      onProduced(acknowledged, records.length);
    },
  });
}

async function runConsumers(
  { session, signal, onProgress, executable, consumersPath }: SampleDataOptions,
  recordCount: number,
): Promise<void> {
  throwIfCancelled(signal);
  const { state } = session;
  if (state.kind !== 'connected')
    throw new ProblemError(t('{0} is not connected', session.profile.name));
  const wanted = recordCount * groups.reduce((sum, { share }) => sum + share, 0);
  await runSampleConsumers({
    executable,
    scriptPath: consumersPath,
    task: { bootstrap: state.bootstrap, topic: sampleTopic, groups },
    signal,
    onRead: (readCount) => {
      const consumed = Math.min(1, readCount / wanted) * (1 - producedFraction);
      onProgress(t('letting two groups read it'), producedFraction + consumed);
    },
  });
}
