/** What stands beside the payloads of a record: its place, its batch. */
import { t } from '../../src/base/l10n.ts';
import type { RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import { h } from '../kit/dom.ts';
import { formatInt64, formatSize, formatTimestamp, groupThousands } from '../kit/format.ts';

/** Of the record itself, and of the batch that it came in. */
export function factsSections(record: RecordDetails): {
  readonly record: HTMLElement;
  readonly batch: HTMLElement;
} {
  return {
    record: factsSection(t('Record'), recordFacts(record)),
    batch: factsSection(t('Batch'), batchFacts(record)),
  };
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
