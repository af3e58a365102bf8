/** Records of a tail as lines of a file, a page at a time. */
import { t } from '../../base/l10n.ts';
import { type RecordFileFormat, exportLine } from '../../codec/recordFile.ts';
import type { TailView } from './tailView.ts';

export interface ExportRequest {
  readonly format: RecordFileFormat;
  /** Not only what is looked at. */
  readonly all: boolean;
  readonly from?: number | undefined;
  readonly end?: number | undefined;
  /** What the first page said: with another filter, rows have other numbers. */
  readonly session?: number | undefined;
}

export interface ExportPage {
  readonly text: string;
  readonly records: number;
  readonly session: number;
  readonly first: number;
  readonly next: number;
  readonly end: number;
}

/** Of one answer: rows, and characters, which the last few rows may go beyond. */
const exportedAtOnce = 1000;
const exportedCharacters = 4 * 1024 * 1024;
const exportStep = 25;

/**
 * Of what is looked at or of all that is held, in the order of arrival, from a row number on or from the oldest. `next`
 * is where to go on, until it is `end`.
 */
export function exportPage(
  view: TailView,
  topic: string,
  { format, all, from, end: known, session }: ExportRequest,
): ExportPage {
  if (!all && session !== undefined && session !== view.filterings) {
    throw new Error(t('the filter was changed meanwhile: start again with what it shows now'));
  }
  const range = view.range(all);
  const end = known ?? range.end;
  const first = Math.max(from ?? range.first, range.first);
  let text = '';
  let records = 0;
  let next = first;
  while (next < end && next - first < exportedAtOnce && text.length < exportedCharacters) {
    const count = Math.min(exportStep, end - next);
    for (const row of view.stored(all, next, count)) {
      if (row.kind !== 'record') continue;
      text += exportLine(format, { topic, ...row });
      records++;
    }
    next += count;
  }
  return { text, records, session: view.filterings, first, next, end };
}
