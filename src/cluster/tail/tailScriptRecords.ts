import type { KafkaRecord } from '../../protocol/records/recordReader.ts';
import {
  scriptFields,
  type ScriptField,
  type ScriptRecords,
} from '../../shared/contracts/tailScript.ts';
import { fieldText, headerText, type TailDecoders } from './tailDecoders.ts';
import type { PlacedRecord } from './tailMatchers.ts';
import { type Picks, type ScriptText, writePicked } from './tailScriptPicks.ts';

interface Writing extends ScriptText {
  readonly decoders: TailDecoders;
  readonly picks: Picks;
}

const writers: Readonly<Record<ScriptField, (to: Writing, from: PlacedRecord) => void>> = {
  key: (to, { record }) => writePayload(to, 'key', record),
  value: (to, { record }) => writePayload(to, 'value', record),
  headers: (to, { record }) => {
    to.cuts.push(record.headers.length);
    for (const { key, value } of record.headers) {
      writeText(to, key.toString());
      writeText(to, headerText(to.decoders, value));
    }
  },
  offset: ({ cuts }, { record }) => cuts.push(exact(record.offset)),
  partition: ({ cuts }, { partition }) => cuts.push(partition),
  timestamp: ({ cuts }, { record }) => cuts.push(exact(record.timestamp)),
};

/** Of records the fields that an expression names, in the form of one call. */
export function writeScriptRecords(
  records: readonly PlacedRecord[],
  fields: readonly ScriptField[],
  { decoders, picks }: Pick<Writing, 'decoders' | 'picks'>,
): ScriptRecords {
  const to: Writing = { texts: [], cuts: [], decoders, picks };
  const write = scriptFields.filter((field) => fields.includes(field)).map((it) => writers[it]);
  for (const record of records) for (const writeField of write) writeField(to, record);
  return { count: records.length, texts: to.texts.join(''), cuts: JSON.stringify(to.cuts) };
}

function writePayload(to: Writing, field: 'key' | 'value', record: KafkaRecord): void {
  const text = fieldText(to.decoders, field, record);
  const names = to.picks[field];
  if (text === null || !names || !writePicked(to, text, names)) writeText(to, text);
}

function writeText({ texts, cuts }: ScriptText, text: string | null): void {
  cuts.push(text === null ? -1 : text.length);
  if (text !== null) texts.push(text);
}

function exact(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
