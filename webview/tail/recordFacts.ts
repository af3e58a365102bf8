/** What stands beside the payloads of a record: its headers, its place, its batch. */
import { t } from '../../src/base/l10n.ts';
import type { DecodedPayload, RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import { decodeUtf8, fromBase64, toHex } from '../kit/bytes.ts';
import { button } from '../kit/controls.ts';
import { h, show } from '../kit/dom.ts';
import {
  formatInt64,
  formatSize,
  formatTimestamp,
  groupThousands,
  oneLine,
} from '../kit/format.ts';

/** So many headers are drawn at a time: a record may have thousands. */
const HEADERS_AT_ONCE = 200;

/** In the record's order, with every duplicate. */
export function headersSection({ headers }: RecordDetails, chooser: HTMLElement): HTMLElement {
  return h(
    'section',
    { 'aria-label': t('Headers') },
    h(
      'div',
      { class: 'payload-head' },
      h('h2', {}, t('Headers'), h('span', { class: 'dim count' }, groupThousands(headers.length))),
      h('span', { class: 'spring' }),
      headers.length > 0 && chooser,
    ),
    headers.length === 0 ? h('p', { class: 'dim' }, t('None.')) : headersTable(headers),
  );
}

function headersTable(headers: RecordDetails['headers']): HTMLElement {
  const body = h('tbody');
  const more = button({ label: '', onClick: () => showMore() });
  const showMore = (): void => {
    const shown = body.children.length;
    const end = shown + HEADERS_AT_ONCE;
    body.append(...headers.slice(shown, end).map(headerRow));
    const left = headers.length - end;
    show(more.element, left > 0);
    const next = Math.min(left, HEADERS_AT_ONCE);
    more.setLabel(t('Show {0} more of {1}', groupThousands(next), groupThousands(left)));
  };
  showMore();
  return h('div', {}, h('table', { class: 'facts' }, body), more.element);
}

function headerRow({ key, value, decoded }: RecordDetails['headers'][number]): HTMLElement {
  const shown = headerText(value, decoded);
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, headerText(key).text),
    h('td', { 'data-kind': shown.kind, title: shown.title }, shown.text),
  );
}

function headerText(
  payload: string | null,
  decoded?: DecodedPayload,
): { kind: string; text: string; title?: string } {
  if (payload === null) return { kind: 'null', text: '⌀ null' };
  if (payload === '') return { kind: 'empty', text: t('empty') };
  const bytes = fromBase64(payload);
  const text = decodeUtf8(bytes);
  const size = formatSize(bytes.length);
  if (decoded && 'text' in decoded) {
    return { kind: 'decoded', text: oneLine(decoded.text), title: size };
  }
  if (decoded) {
    return { kind: 'failed', text: `${decoded.problem} · hex ${toHex(bytes)}`, title: size };
  }
  if (text === undefined) return { kind: 'binary', text: `hex ${toHex(bytes)}`, title: size };
  return { kind: 'text', text: oneLine(text), title: size };
}

/** Of the record itself, and of the batch that it came in. */
export function factsSections(record: RecordDetails): HTMLElement[] {
  return [
    factsSection(t('Record'), recordFacts(record)),
    factsSection(t('Batch'), batchFacts(record)),
  ];
}

type Facts = readonly (readonly [name: string, value: string | HTMLElement])[];

function factsSection(title: string, facts: Facts): HTMLElement {
  const rows = facts.map(([name, value]) =>
    h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value)),
  );
  return h(
    'section',
    { 'aria-label': title },
    h('h2', {}, title),
    h('table', { class: 'facts' }, h('tbody', {}, ...rows)),
  );
}

function recordFacts(record: RecordDetails): Facts {
  return [
    [t('Timestamp'), bothTimes(record.timestamp)],
    [t('Timestamp type'), record.timestampType],
    [t('Partition'), groupThousands(record.partition)],
    [t('Offset'), formatInt64(record.offset)],
  ];
}

/** Here and in UTC, of which neither is broken. */
function bothTimes(timestamp: string): HTMLElement {
  const parts = formatTimestamp(timestamp).long.split(/( )(?=\()/);
  return h(
    'span',
    {},
    ...parts.map((part) => (part === ' ' ? part : h('span', { class: 'unbroken' }, part))),
  );
}

function batchFacts({ batch }: RecordDetails): Facts {
  const hasProducer = batch.producerId !== '-1';
  return [
    [t('Offsets'), t('{0} to {1}', formatInt64(batch.baseOffset), formatInt64(batch.lastOffset))],
    [t('Records'), groupThousands(batch.recordCount)],
    [t('Size'), formatSize(batch.sizeInBytes)],
    [t('Compression'), batch.compression],
    [t('Leader epoch'), batch.leaderEpoch < 0 ? t('none') : groupThousands(batch.leaderEpoch)],
    [
      t('Producer'),
      hasProducer
        ? t('{0}, epoch {1}', formatInt64(batch.producerId), batch.producerEpoch)
        : t('no id'),
    ],
    [t('Base sequence'), batch.baseSequence < 0 ? t('none') : groupThousands(batch.baseSequence)],
    [t('Transactional'), batch.isTransactional ? t('yes') : t('no')],
  ];
}
