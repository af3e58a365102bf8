import { isUtf8 } from 'node:buffer';
import { t } from '../../base/l10n.ts';
import {
  emptyDraft,
  isTooLargeForForm,
  type PayloadInput,
  type ProduceDraft,
} from '../../shared/contracts/produce.ts';
import type { PayloadForm, RecordDetails } from '../../shared/contracts/recordDetails.ts';
import { groupThousands } from '../../shared/numbers.ts';

export interface RecordForms {
  readonly keyForm?: PayloadForm | undefined;
  readonly valueForm?: PayloadForm | undefined;
}

/** As much of a record as a draft is made of. */
export interface RecordToDraft extends Pick<RecordDetails, 'topic' | 'key' | 'value'> {
  readonly partition: number | null;
  /** Where it was read, and not where it goes. */
  readonly offset?: string;
  readonly headers: readonly Pick<RecordDetails['headers'][number], 'key' | 'value'>[];
}

/**
 * A record that was read as one to produce, at the time of sending. What is left as it is comes to the same bytes,
 * but for line ends between the tokens of JSON.
 */
export function recordDraft(record: RecordToDraft, forms: RecordForms): ProduceDraft {
  return {
    ...emptyDraft(record.topic, record.partition),
    ...originOf(record),
    key: jsonOf(record.key, forms.keyForm) ?? inputOf(record.key, linesOf),
    value: jsonOf(record.value, forms.valueForm) ?? inputOf(record.value, linesOf),
    headers: record.headers.map(({ key, value }) => ({
      ...headerKeyOf(key ?? ''),
      value: inputOf(value, lineOf),
    })),
  };
}

/** Of what the form only names. */
function originOf(record: RecordToDraft): Pick<ProduceDraft, 'origin'> {
  const { topic, partition, offset, key, value } = record;
  if (partition === null || offset === undefined) return {};
  if (!isTooLargeForForm(key ?? '') && !isTooLargeForForm(value ?? '')) return {};
  return { origin: t('the record at {0}/{1}/{2}', topic, partition, groupThousands(offset)) };
}

/** As text where a person could have typed it. */
function headerKeyOf(key: string): Pick<ProduceDraft['headers'][number], 'key' | 'keyForm'> {
  const text = lineOf(key);
  return text === undefined ? { key, keyForm: 'base64' } : { key: text };
}

function inputOf(
  payload: string | null,
  asTyped: (payload: string) => string | undefined,
): PayloadInput {
  if (payload === null) return { kind: 'null' };
  if (isTooLargeForForm(payload)) return { kind: 'base64', text: payload };
  const text = asTyped(payload);
  return text === undefined ? { kind: 'base64', text: payload } : { kind: 'text', text };
}

/** As JSON, where a person saw it as such. */
function jsonOf(payload: string | null, form: PayloadForm | undefined): PayloadInput | undefined {
  if (payload === null || form !== 'json' || isTooLargeForForm(payload)) return undefined;
  const text = utf8Of(payload);
  return text !== undefined && isJson(text) ? { kind: 'json', text } : undefined;
}

function utf8Of(payload: string): string | undefined {
  const bytes = Buffer.from(payload, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/**
 * The text for a field of several lines, which turns each end of a line into a line feed; undefined where that tells.
 */
function linesOf(payload: string): string | undefined {
  const text = utf8Of(payload);
  return text?.includes('\r') ? undefined : text;
}

/** The text for a field of one line, which drops the ends of lines; undefined where that tells. */
function lineOf(payload: string): string | undefined {
  const text = linesOf(payload);
  return text?.includes('\n') ? undefined : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
