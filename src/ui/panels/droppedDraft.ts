import { t } from '../../base/l10n.ts';
import type { FileRecord } from '../../codec/fileRecord.ts';
import { readRecordFile } from '../../codec/recordFile.ts';
import { parseRecordLine } from '../../codec/recordJson.ts';
import type { ProduceDraft } from '../../shared/contracts/produce.ts';
import { recordDraft } from './recordDraft.ts';

export interface Dropped {
  readonly draft: ProduceDraft;
  /** Whether there are more records than the one that the draft is of. */
  readonly hasMore: boolean;
}

/** Longer text is a file's business. */
const mostTextLength = 1024 * 1024;

/**
 * Text that was dropped on a topic as a record to produce: a line as the tail panel exports it is that record; anything
 * else is the value. Undefined: it is too long for a form.
 */
export function textDraft(topic: string, text: string): ProduceDraft | undefined {
  if (text.length > mostTextLength) return undefined;
  const trimmed = text.trim();
  if (isRecordLine(trimmed)) {
    const parsed = parseRecordLine(trimmed);
    if ('record' in parsed) return draftOf(topic, parsed.record);
  }
  const value = Buffer.from(text);
  return draftOf(topic, { key: null, value, headers: [], partition: null });
}

/** Any JSON is a line of a file. Only what names both is surely a record and not a value that looks like one. */
function isRecordLine(text: string): boolean {
  return (
    /^\{.*\}$/s.test(text) && /"key(Base64)?"\s*:/.test(text) && /"value(Base64)?"\s*:/.test(text)
  );
}

/** The first record of a file. Throws, in words, where the file has none. */
export async function fileDraft(topic: string, path: string): Promise<Dropped> {
  let first: FileRecord | undefined;
  let problem: string | undefined;
  for await (const line of readRecordFile(path)) {
    if (first) return { draft: draftOf(topic, first), hasMore: true };
    if ('record' in line) first = line.record;
    else problem ??= t('line {0}: {1}', line.line, line.problem);
  }
  if (first) return { draft: draftOf(topic, first), hasMore: false };
  throw new Error(problem ?? t('The file holds no record.'));
}

function draftOf(topic: string, record: FileRecord): ProduceDraft {
  const { partition, headers } = record;
  const asBase64 = (bytes: Uint8Array | null): string | null =>
    bytes === null ? null : Buffer.from(bytes).toString('base64');
  const draft = recordDraft(
    {
      topic,
      partition,
      key: asBase64(record.key),
      value: asBase64(record.value),
      headers: headers.map(({ key, value }) => ({ key: asBase64(key), value: asBase64(value) })),
    },
    // What is JSON is shown as such; a key of digits is left text, as it is no number to its topic.
    { valueForm: 'json' },
  );
  return draft;
}
