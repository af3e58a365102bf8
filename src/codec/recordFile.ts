/** Files of records: one JSON object a line, or CSV with a line of column names. What is written can be read back. */
import type { ExportedRecord, FileLine } from './fileRecord.ts';
import { csvHead, csvLine, readCsv } from './recordCsv.ts';
import { jsonLine, readJsonLines } from './recordJson.ts';

export type RecordFileFormat = 'jsonl' | 'csv';

/** `.csv` is CSV, all else JSON lines. */
export function recordFileFormat(path: string): RecordFileFormat {
  return path.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl';
}

/** The records of a file, read as they are asked for. */
export function readRecordFile(path: string): AsyncGenerator<FileLine> {
  return recordFileFormat(path) === 'csv' ? readCsv(path) : readJsonLines(path);
}

/** What a file begins with. */
export function recordFileHead(format: RecordFileFormat): string {
  return format === 'csv' ? csvHead : '';
}

/** A record as a line of a file, of which every byte can be had back. */
export function exportLine(format: RecordFileFormat, exported: ExportedRecord): string {
  return format === 'jsonl' ? jsonLine(exported) : csvLine(exported);
}
