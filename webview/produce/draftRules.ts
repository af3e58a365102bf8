/** What a draft's fields mean before the host looks at them. */
import { t } from '../../src/base/l10n.ts';
import type { TopicChoice } from '../../src/shared/contracts/common.ts';
import type { DraftProblem, FormDraft, FormPayload } from '../../src/shared/contracts/produce.ts';

const TOPICS_OFFERED = 50;
const PARTITION_MAX = 2 ** 31 - 1;

/** Null is a choice by the key; undefined is not a partition. */
export function readPartition(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const partition = /^\d{1,10}$/.test(trimmed) ? Number(trimmed) : Infinity;
  return partition <= PARTITION_MAX ? partition : undefined;
}

const COUNT_MAX = 10_000_000;
const RATE_MAX = 1_000_000;

/** How many records; undefined where it is no such number. */
export function readCount(text: string): number | undefined {
  const digits = text.replaceAll(/[,\s]/g, '');
  const count = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return count >= 1 && count <= COUNT_MAX ? count : undefined;
}

/** Records a second; null is no limit, undefined is not a rate. */
export function readRate(text: string): number | null | undefined {
  const digits = text.replaceAll(/[,\s]/g, '');
  if (digits === '') return null;
  const rate = /^\d{1,9}(\.\d{1,3})?$/.test(digits) ? Number(digits) : 0;
  return rate >= 0.1 && rate <= RATE_MAX ? rate : undefined;
}

/** Milliseconds since the epoch, typed so or as a date and time; null is now, undefined is no time. */
export function readTimestamp(text: string): string | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (/^-?\d{1,19}$/.test(trimmed)) return trimmed;
  if (!/^\d{4}-\d{2}-\d{2}/.test(trimmed)) return undefined;
  const epochMs = Date.parse(trimmed.replace(' ', 'T'));
  return Number.isNaN(epochMs) ? undefined : String(epochMs);
}

/** Topics with the text in their name: those that begin with it first. */
export function suggestTopics(topics: readonly TopicChoice[], text: string): TopicChoice[] {
  const wanted = text.trim().toLowerCase();
  const found = topics.filter(({ name }) => name.toLowerCase().includes(wanted));
  const begins = found.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const others = found.filter(({ name }) => !name.toLowerCase().startsWith(wanted));
  return [...begins, ...others].slice(0, TOPICS_OFFERED);
}

/** The first problem of every field, and of every header by its place. */
export function problemsByField(problems: readonly DraftProblem[]): {
  fields: Map<string, string>;
  headers: Map<number, string>;
} {
  const fields = new Map<string, string>();
  const headers = new Map<number, string>();
  for (const { field, message } of problems) {
    const place = /^headers\.(\d+)/.exec(field)?.[1];
    if (place === undefined) {
      if (!fields.has(field)) fields.set(field, message);
    } else if (!headers.has(Number(place))) headers.set(Number(place), message);
  }
  return { fields, headers };
}

/** How the partition of a draft is decided, in words. */
export function partitionWords(draft: FormDraft, partition: number | undefined): string {
  if (draft.partition !== null) return t('Partition {0}, as set', draft.partition);
  if (partition === undefined) return t('Any partition: there is no key to choose by');
  return t('Partition {0}, by the key, as Java and kafkajs choose', partition);
}

/** What a payload's size says, where null and empty are two things. */
export function payloadWords(input: FormPayload, size: string | undefined): string {
  if (input.kind === 'null') return '⌀ null';
  return size ?? '–';
}
