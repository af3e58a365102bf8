/** What the row that a person looks at would come to: the record at its new offset, and what lies between. */
import type * as v from 'valibot';
import { t } from '../../src/base/l10n.ts';
import type { offsetsHost, TargetFacts } from '../../src/shared/contracts/offsets.ts';
import { fill, h, show } from '../kit/dom.ts';
import { count, formatInt64, formatTimestamp, showPayload } from '../kit/format.ts';
import { errorWords, toUserError } from '../kit/parts.ts';
import type { OffsetRow } from './model.ts';

export interface LookedAt {
  readonly element: HTMLElement;
  /** Shows a row; undefined hides it. The same row with the same new offset is not read again. */
  look(row: OffsetRow | undefined): void;
}

export type ReadFacts = (
  row: OffsetRow,
  target: string,
  signal: AbortSignal,
) => Promise<TargetFacts>;

type Look = typeof offsetsHost.look;

/** Rejects, in words, where the host has none. */
export function factsReader(
  look: (
    of: v.InferOutput<Look['params']>,
    signal: AbortSignal,
  ) => Promise<v.InferOutput<Look['result']>>,
): ReadFacts {
  return async ({ topic, partition, committed = null }, target, signal) => {
    const { facts, error } = await look({ topic, partition, committed, target }, signal);
    if (!facts) throw new Error(error?.message ?? t('The record could not be read.'));
    return facts;
  };
}

/** Passing over rows with the arrow keys reads nothing. */
const RESTING_MS = 150;

export function lookedAt(read: ReadFacts): LookedAt {
  const title = h('strong', {});
  const effect = h('span', {});
  const between = h('span', {});
  const record = h('div', { class: 'looked-record' });
  const element = h(
    'section',
    { class: 'looked', 'aria-label': t('The record at the new offset'), hidden: true },
    h('div', { class: 'looked-line' }, title, effect, between),
    record,
  );
  let shown = '';
  let reading: AbortController | undefined;
  const readNow = async (row: OffsetRow, target: string, signal: AbortSignal): Promise<void> => {
    try {
      const facts = await read(row, target, signal);
      if (signal.aborted) return;
      fill(between, betweenWords(facts, row));
      fill(record, ...recordWords(facts));
    } catch (error) {
      if (!signal.aborted) fill(record, errorWords(toUserError(error)));
    }
  };
  return {
    element,
    look: (row) => {
      const target = row?.plan?.target;
      const key = JSON.stringify([row?.topic, row?.partition, row?.committed, target]);
      if (key === shown) return;
      shown = key;
      reading?.abort();
      show(element, row !== undefined);
      if (!row) return;
      fill(title, `${row.topic} ${row.partition}`);
      fill(effect, [row.plan?.effect, row.plan?.warning].filter(Boolean).join('; '));
      fill(between);
      fill(record);
      if (target === undefined || target === null) return;
      const { signal } = (reading = new AbortController());
      fill(
        record,
        h('span', { class: 'dim' }, t('Reading the record at {0} …', formatInt64(target))),
      );
      setTimeout(() => {
        if (!signal.aborted) void readNow(row, target, signal);
      }, RESTING_MS);
    },
  };
}

/** `6 records, 14:01:02 to 14:03:07`. */
function betweenWords(facts: TargetFacts, { plan }: OffsetRow): string {
  const { firstTimestamp, lastTimestamp } = facts;
  if (plan?.delta === null || plan?.delta === '0') return '';
  const counted =
    facts.count === undefined ? '' : t('{0} in between', count(facts.count, 'record'));
  if (firstTimestamp === undefined || lastTimestamp === undefined) return counted;
  const from = dateTime(firstTimestamp);
  const to = dateTime(lastTimestamp);
  const when = from === to ? t('of {0}', from) : t('from {0} to {1}', from, to);
  return [counted, when].filter(Boolean).join(', ');
}

function dateTime(timestamp: string): string {
  const { short, long } = formatTimestamp(timestamp);
  return timestamp === '-1' ? short : long.replace(/ \(.*$/, '').replace('T', ' ');
}

/** When and what the group would read first. */
export function recordWords({ record }: TargetFacts): (HTMLElement | string)[] {
  if (!record)
    return [h('span', { class: 'dim' }, t('No record there yet: the next one comes first.'))];
  const key = showPayload(record.key);
  const value = showPayload(record.value, t('null (tombstone)'));
  return [
    h(
      'span',
      { class: 'dim' },
      t('First read: {0} of {1}', formatInt64(record.offset), dateTime(record.timestamp)),
    ),
    h('span', { class: `payload payload-${key.kind}` }, key.text),
    h('span', { class: `payload payload-${value.kind}` }, value.text),
  ];
}
