/** What a draft of the produce panel comes to: a record, and what will happen to it. */
import { t } from '../../base/l10n.ts';
import type { Random } from '../../base/random.ts';
import { keyPartitioners } from '../../client/partitioner.ts';
import type { RecordToProduce } from '../../client/produce.ts';
import {
  type CommandRecord,
  consoleProducerCommand,
  kcatCommand,
  type ProduceCommand,
} from '../../cluster/produce/produceCommands.ts';
import { buildRecordBatch } from '../../protocol/records/recordBatchBuilder.ts';
import type { TopicChoice } from '../../shared/contracts/common.ts';
import type {
  DraftProblem,
  PayloadInput,
  ProduceDraft,
  ProducePreview,
} from '../../shared/contracts/produce.ts';
import { draftTemplate } from './draftTemplate.ts';
import { payloadBytes } from './payloadBytes.ts';
import { templateOutlook } from './templateCheck.ts';

/** Of the batch, what the panel shows in hex. */
const shownBytes = 1024;
/** A larger record is not compressed, nor written as a command, just to be looked at while somebody types. */
const largestPreviewBytes = 1024 * 1024;
/** Nor is one of these built: its copies and its CRC would hold the extension host for tens of milliseconds. */
const largestBatchBytes = 4 * largestPreviewBytes;

/** As requests have them. */
export const acksOf = { all: -1, '1': 1, '0': 0 } as const;

/** The record that a draft stands for. Throws, in words, where a field cannot be encoded. */
export function recordOf(draft: ProduceDraft): RecordToProduce {
  return {
    topic: draft.topic,
    partition: draft.partition,
    key: bytesOrThrow(t('key'), draft.key),
    value: bytesOrThrow(t('value'), draft.value),
    headers: draft.headers.map(({ key, keyForm, value }) => ({
      key: keyForm ? keyBytes(keyForm, key) : key,
      value: bytesOrThrow(t('value of header {0}', key), value),
    })),
    ...(draft.timestamp !== null && { timestamp: BigInt(draft.timestamp) }),
  };
}

export interface PreviewScene {
  readonly topics: readonly TopicChoice[];
  readonly bootstrap: string;
  readonly nowMs: number;
  readonly random: Random;
}

/** What sending a draft will come to, found without asking the cluster. */
export function previewDraft(draft: ProduceDraft, scene: PreviewScene): ProducePreview {
  const { nowMs, random } = scene;
  const problems = problemsOf(draft, scene.topics);
  const template = templateOutlook(draft, problems, scene);
  if (problems.length === 0 || !template || template.problems.length > 0) {
    return { ...outlookOf(draft, problems, scene), ...(template && { template }) };
  }
  const first = draftTemplate(draft)({ number: 1, nowMs, random });
  return { ...outlookOf(first, [], scene), problems, template, isFirstOfMany: true };
}

function outlookOf(
  draft: ProduceDraft,
  problems: DraftProblem[],
  scene: PreviewScene,
): ProducePreview {
  const topic = scene.topics.find(({ name }) => name === draft.topic);
  const key = bytesOf(draft.key);
  const value = bytesOf(draft.value);
  const choices = topic && key ? partitionChoices(key, topic.partitionCount) : [];
  const partition = draft.partition ?? choices[0]?.partition ?? undefined;
  return {
    ...(partition !== undefined && { partition }),
    choices,
    ...(key && { keySize: key.length }),
    ...(value && { valueSize: value.length }),
    ...(problems.length === 0 ? wireView(draft, scene) : { commands: [] }),
    problems,
  };
}

function partitionChoices(key: Uint8Array, partitionCount: number): ProducePreview['choices'] {
  return keyPartitioners.map(({ clients, hash, partitionFor }) => ({
    clients,
    hash,
    partition: partitionFor(key, partitionCount),
  }));
}

function problemsOf(draft: ProduceDraft, topics: readonly TopicChoice[]): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const check = (field: string, input: PayloadInput): void => {
    const encoded = payloadBytes(input);
    if ('problem' in encoded) problems.push({ field, message: encoded.problem });
  };
  const topic = topics.find(({ name }) => name === draft.topic);
  if (!topic)
    problems.push({ field: 'topic', message: t('There is no topic {0} here.', draft.topic) });
  check('key', draft.key);
  check('value', draft.value);
  draft.headers.forEach(({ key, keyForm, value }, i) => {
    if (keyForm) check(`headers.${i}.key`, { kind: keyForm, text: key });
    check(`headers.${i}.value`, value);
  });
  if (topic && draft.partition !== null && draft.partition >= topic.partitionCount) {
    const message = t('{0} has partitions 0 to {1}.', draft.topic, topic.partitionCount - 1);
    problems.push({ field: 'partition', message });
  }
  if (draft.delivery !== 'plain' && draft.acks !== 'all') {
    const message = t('Idempotent and transactional producers need acks all.');
    problems.push({ field: 'delivery', message });
  }
  return problems;
}

/** The batch and the commands: for what can be sent as it is. */
function wireView(
  draft: ProduceDraft,
  { bootstrap, nowMs }: PreviewScene,
): Pick<ProducePreview, 'batch' | 'commands'> {
  const record = recordOf(draft);
  const size = (record.key?.length ?? 0) + (record.value?.length ?? 0);
  const isLarge = size > largestPreviewBytes;
  // To compress so much would take seconds.
  const isTooLarge = size > largestBatchBytes || (isLarge && draft.compression !== 'none');
  if (isTooLarge) return { commands: [] };
  const timestamp = record.timestamp ?? BigInt(nowMs);
  const batch = buildRecordBatch({
    records: [{ ...record, timestamp }],
    compression: draft.compression,
    isTransactional: isTransactional(draft),
  });
  return {
    batch: { size: batch.length, beginning: batch.toString('base64', 0, shownBytes) },
    commands: isLarge ? [] : commandsFor(draft, record, bootstrap),
  };
}

function isTransactional({ delivery }: ProduceDraft): boolean {
  return delivery === 'commit' || delivery === 'abort';
}

function commandsFor(
  draft: ProduceDraft,
  record: RecordToProduce,
  bootstrap: string,
): ProducePreview['commands'] {
  const { acks, compression } = draft;
  const timestamp = record.timestamp ?? null;
  const isIdempotent = draft.delivery === 'idempotent';
  const headers = draft.headers.map(({ key }, i) => ({
    key,
    value: record.headers[i]?.value ?? null,
  }));
  const command: CommandRecord = {
    ...{ ...record, headers, timestamp },
    ...{ acks, compression, isIdempotent },
  };
  const of = (
    tool: string,
    make: (bootstrap: string, record: CommandRecord) => ProduceCommand,
  ): ProducePreview['commands'][number] => {
    if (isTransactional(draft)) {
      return { tool, problem: t('{0} is not offered for a record in a transaction.', tool) };
    }
    if (draft.headers.some(({ keyForm }) => keyForm !== undefined)) {
      return { tool, problem: t('{0} takes the key of a header as text only.', tool) };
    }
    return { tool, ...make(bootstrap, command) };
  };
  return [of('kcat', kcatCommand), of('kafka-console-producer', consoleProducerCommand)];
}

function bytesOf(input: PayloadInput): Uint8Array | null {
  const encoded = payloadBytes(input);
  return 'bytes' in encoded ? encoded.bytes : null;
}

/** A header has a key, be it empty. */
function keyBytes(kind: 'hex' | 'base64', text: string): Uint8Array {
  return bytesOrThrow(t('key of a header'), { kind, text }) ?? new Uint8Array();
}

function bytesOrThrow(what: string, input: PayloadInput): Uint8Array | null {
  const encoded = payloadBytes(input);
  if ('bytes' in encoded) return encoded.bytes;
  throw new Error(t('This cannot be sent, the {0}: {1}', what, encoded.problem));
}
