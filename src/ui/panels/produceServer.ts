import { partitionForKey } from '../../client/partitioner.ts';
import { produce, type RecordToProduce } from '../../client/produce.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import { encodePayload } from '../../codec/payloadInput.ts';
import { Channel, type Handlers } from '../../shared/channel.ts';
import type { TopicChoice } from '../../shared/contracts/common.ts';
import {
  type DraftProblem,
  type PayloadInput,
  type ProduceDraft,
  produceHost,
  type ProduceSetup,
  produceView,
} from '../../shared/contracts/produce.ts';
import { sessionOf } from '../sessions.ts';
import type { OpenPanel, PanelContext, PanelServer } from './panelHost.ts';
import { produceKey, type ProduceSubject, type ShowRecord } from './produceSubject.ts';
import { clusterRefOf, toUserError } from './words.ts';

/** Answers a produce panel's page. */
export class ProduceServer implements PanelServer<ProduceSubject> {
  readonly #context: PanelContext;
  readonly #panel: OpenPanel;
  readonly #showRecord: ShowRecord;
  readonly #channel: Channel<typeof produceHost, typeof produceView>;
  #subject: ProduceSubject;
  #topics: readonly TopicChoice[] = [];

  constructor(
    context: PanelContext,
    panel: OpenPanel,
    options: { readonly subject: ProduceSubject; readonly showRecord: ShowRecord },
  ) {
    this.#context = context;
    this.#panel = panel;
    this.#subject = options.subject;
    this.#showRecord = options.showRecord;
    this.#channel = new Channel({
      transport: panel.transport,
      onInvalid: panel.onInvalid,
      serves: produceHost,
      handlers: this.#handlers(),
      calls: produceView,
    });
  }

  get key(): string {
    return produceKey(this.#subject.cluster, this.#subject.topic);
  }

  /** Asked for with a draft, the panel takes it; else it keeps what was being written. */
  reopen(subject: ProduceSubject): void {
    if (!subject.draft) return;
    this.#subject = subject;
    this.#channel.notify('setup', this.#setup());
  }

  dispose(): void {
    this.#channel.dispose();
  }

  get #session(): ClusterSession {
    return sessionOf(this.#context.registry, this.#subject.cluster);
  }

  #handlers(): Handlers<typeof produceHost> {
    return {
      ready: async (_params, signal) => {
        this.#topics = await this.#readTopics(signal);
        return this.#setup();
      },
      preview: (draft) => preview(draft, this.#topics),
      send: async (draft, signal) => {
        try {
          return { sent: await this.#send(draft, signal) };
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
      openRecord: ({ topic, partition, offset }) => {
        this.#showRecord(this.#subject.cluster, { topic, partition, offset: BigInt(offset) });
        return {};
      },
    };
  }

  async #readTopics(signal: AbortSignal): Promise<TopicChoice[]> {
    const topics = await this.#session.topics(signal);
    return topics
      .filter(({ isInternal }) => !isInternal)
      .map(({ name, partitionCount }) => ({ name, partitionCount }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #setup(): ProduceSetup {
    const { cluster, topic, partition, draft } = this.#subject;
    return {
      cluster: clusterRefOf(cluster),
      topics: [...this.#topics],
      draft: draft ?? {
        topic,
        partition,
        key: { kind: 'null' },
        value: { kind: 'text', text: '' },
        headers: [],
      },
    };
  }

  async #send(
    draft: ProduceDraft,
    signal: AbortSignal,
  ): Promise<{ topic: string; partition: number; offset: string; timestamp: string }> {
    const { cluster } = this.#subject;
    const session = this.#session;
    session.assertWritable();
    await session.connect(signal);
    const sent = await produce(session.client, recordOf(draft), { signal });
    if (this.#subject.topic !== draft.topic) {
      this.#subject = { cluster, topic: draft.topic, partition: draft.partition };
      this.#panel.setTitle(`Produce to ${draft.topic} @ ${cluster.name}`);
    }
    return {
      topic: draft.topic,
      partition: sent.partition,
      offset: sent.offset.toString(),
      timestamp: sent.timestamp.toString(),
    };
  }
}

/** The partition, sizes and problems of a draft, found without asking the cluster. */
function preview(
  draft: ProduceDraft,
  topics: readonly TopicChoice[],
): {
  partition?: number;
  keySize?: number;
  valueSize?: number;
  problems: DraftProblem[];
} {
  const problems: DraftProblem[] = [];
  const bytesOf = (field: string, input: PayloadInput): Uint8Array | null | undefined => {
    const encoded = encodePayload(input);
    if ('bytes' in encoded) return encoded.bytes;
    problems.push({ field, message: encoded.problem });
    return undefined;
  };
  const topic = topics.find(({ name }) => name === draft.topic);
  if (!topic) problems.push({ field: 'topic', message: `There is no topic ${draft.topic} here.` });
  const key = bytesOf('key', draft.key);
  const value = bytesOf('value', draft.value);
  draft.headers.forEach((header, i) => bytesOf(`headers.${i}.value`, header.value));
  const partition =
    draft.partition ?? (topic && key ? partitionForKey(key, topic.partitionCount) : undefined);
  if (topic && draft.partition !== null && draft.partition >= topic.partitionCount) {
    problems.push({
      field: 'partition',
      message: `${draft.topic} has partitions 0 to ${topic.partitionCount - 1}.`,
    });
  }
  return {
    ...(partition !== undefined && { partition }),
    ...(key && { keySize: key.length }),
    ...(value && { valueSize: value.length }),
    problems,
  };
}

function recordOf(draft: ProduceDraft): RecordToProduce {
  return {
    topic: draft.topic,
    partition: draft.partition,
    key: bytesOrThrow('key', draft.key),
    value: bytesOrThrow('value', draft.value),
    headers: draft.headers.map(({ key, value }) => ({
      key,
      value: bytesOrThrow(`header ${key}`, value),
    })),
  };
}

function bytesOrThrow(what: string, input: PayloadInput): Uint8Array | null {
  const encoded = encodePayload(input);
  if ('bytes' in encoded) return encoded.bytes;
  throw new Error(`The ${what} cannot be sent: ${encoded.problem}`);
}
