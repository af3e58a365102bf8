import {
  scriptFields,
  type ScriptField,
  type ScriptRecords,
} from '../shared/contracts/tailScript.ts';
import { fieldText, headerText, type TailDecoders } from './tailDecoders.ts';
import type { PlacedRecord } from './tailMatchers.ts';

type Cuts = (number | string)[];

interface Writing {
  readonly texts: string[];
  readonly cuts: Cuts;
  readonly decoders: TailDecoders;
}

const writers: Readonly<Record<ScriptField, (to: Writing, from: PlacedRecord) => void>> = {
  key: (to, { record }) => writeText(to, fieldText(to.decoders, 'key', record)),
  value: (to, { record }) => writeText(to, fieldText(to.decoders, 'value', record)),
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
  decoders: TailDecoders,
): ScriptRecords {
  const to: Writing = { texts: [], cuts: [], decoders };
  const write = scriptFields.filter((field) => fields.includes(field)).map((it) => writers[it]);
  for (const record of records) for (const writeField of write) writeField(to, record);
  return { count: records.length, texts: to.texts.join(''), cuts: JSON.stringify(to.cuts) };
}

function writeText({ texts, cuts }: Writing, text: string | null): void {
  cuts.push(text === null ? -1 : text.length);
  if (text !== null) texts.push(text);
}

function exact(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
