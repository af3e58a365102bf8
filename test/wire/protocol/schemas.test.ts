// Every schema against the definition in Apache Kafka's jars, from which its classes are generated.
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Field, Fields, MessageSchema } from '../../../src/protocol/schema.ts';
import { kafkaJar } from '../../support/kafka/home.ts';
import { messageClasses } from '../../support/kafka/messageClasses.ts';
import { readZip } from '../../support/zip.ts';

interface KafkaField {
  readonly name: string;
  readonly type: string;
  /** Left out where it is `taggedVersions`. */
  readonly versions?: string;
  readonly nullableVersions?: string;
  readonly tag?: number;
  readonly taggedVersions?: string;
  readonly default?: string | number | boolean | null;
  readonly ignorable?: boolean | 'true' | 'false';
  readonly flexibleVersions?: string;
  readonly fields?: readonly KafkaField[];
}

interface KafkaMessage {
  readonly name: string;
  readonly apiKey?: number;
  readonly validVersions: string;
  readonly flexibleVersions?: string;
  readonly fields: readonly KafkaField[];
  readonly commonStructs?: readonly { name: string; fields: readonly KafkaField[] }[];
}

/** A field in a form that both sides are brought into; fields are pairs, so that their order counts. */
interface Normal {
  readonly type: string;
  readonly versions: string;
  readonly nullable: string;
  readonly tag: number | undefined;
  readonly tagged: string;
  readonly default: unknown;
  readonly ignorable: boolean;
  readonly flexible: string | undefined;
  readonly fields: readonly [string, Normal][] | undefined;
}

const primitives = new Set(
  'bool int8 int16 int32 int64 uint16 uint32 float64 string uuid bytes records'.split(' '),
);

function kafkaFields(
  fields: readonly KafkaField[],
  structs: ReadonlyMap<string, readonly KafkaField[]>,
): [string, Normal][] {
  return fields.map((field) => {
    const item = field.type.replace(/^\[\]/, '');
    const inner = primitives.has(item) ? undefined : (field.fields ?? structs.get(item));
    assert.ok(primitives.has(item) || inner, `${field.name} is of the unknown type ${item}`);
    return [
      field.name.charAt(0).toLowerCase() + field.name.slice(1),
      {
        type: field.type.startsWith('[]')
          ? `array of ${inner ? 'struct' : item}`
          : inner
            ? 'struct'
            : item,
        versions: field.versions ?? field.taggedVersions ?? 'none',
        nullable: field.nullableVersions ?? 'none',
        tag: field.tag,
        tagged: field.taggedVersions ?? 'none',
        default: kafkaDefault(field),
        ignorable: field.ignorable === true || field.ignorable === 'true',
        flexible: field.flexibleVersions,
        fields: inner && kafkaFields(inner, structs),
      },
    ];
  });
}

/** As [FieldSpec.fieldDefault] reads it. */
function kafkaDefault({ type, default: given }: KafkaField): unknown {
  if (given === 'null') return null;
  // The word is meant, not JSON's null, which some definitions have and which counts as left out.
  if (given === undefined || given === null || given === '') return zeroOf(type);
  if (type === 'bool') return given === true || given === 'true';
  if (type === 'int64') return BigInt(String(given));
  if (type.startsWith('int') || type.startsWith('uint') || type === 'float64') return Number(given);
  return given;
}

function zeroOf(type: string): unknown {
  if (type === 'bool') return false;
  if (type === 'int64') return 0n;
  if (/^(u?int\d+|float64)$/.test(type)) return 0;
  return 'the zero value';
}

function ourFields(fields: Fields): [string, Normal][] {
  return Object.entries(fields).map(([name, field]) => [name, normalised(field)]);
}

function normalised(field: Field): Normal {
  const items = field.type === 'array' ? field.items : undefined;
  const inner =
    field.type === 'struct' ? field.fields : typeof items === 'object' ? items : undefined;
  return {
    type:
      field.type === 'array'
        ? `array of ${typeof items === 'string' ? items : 'struct'}`
        : field.type,
    versions: field.versions,
    nullable: field.nullable ?? 'none',
    tag: field.tag,
    tagged: field.tag === undefined ? 'none' : (field.tagged ?? field.versions),
    default: field.default === undefined ? zeroOf(field.type) : field.default,
    ignorable: field.ignorable ?? false,
    flexible: field.flexible,
    fields: inner && ourFields(inner),
  };
}

function structsOf(message: KafkaMessage): Map<string, readonly KafkaField[]> {
  const structs = new Map<string, readonly KafkaField[]>();
  const collect = (fields: readonly KafkaField[]): void => {
    for (const { type, fields: inner } of fields) {
      if (inner === undefined) continue;
      structs.set(type.replace(/^\[\]/, ''), inner);
      collect(inner);
    }
  };
  for (const { name, fields } of message.commonStructs ?? []) {
    structs.set(name, fields);
    collect(fields);
  }
  collect(message.fields);
  return structs;
}

function parse(definition: Buffer): KafkaMessage {
  return JSON.parse(definition.toString().replace(/^\s*\/\/.*$/gm, '')) as KafkaMessage;
}

function expected(message: KafkaMessage): unknown {
  return {
    name: message.name,
    versions: message.validVersions,
    flexible: message.flexibleVersions ?? 'none',
    fields: kafkaFields(message.fields, structsOf(message)),
  };
}

function actual(schema: MessageSchema): unknown {
  return { ...schema, fields: ourFields(schema.fields) };
}

describe("our schemas and Kafka's definitions", function () {
  this.timeout(600_000); // the first run fetches Kafka
  const jars = new Map<string, Map<string, () => Buffer>>();

  before(async () => {
    for (const name of new Set(messageClasses().map(({ jar }) => jar))) {
      jars.set(name, await readZip(await kafkaJar(name)));
    }
  });

  for (const { schema, jar, definition, apiKey } of messageClasses()) {
    it(`agree on ${schema.name}`, () => {
      const read = jars.get(jar)?.get(definition);
      assert.ok(read, `${jar} has no ${definition}`);
      const message = parse(read());
      assert.deepEqual(actual(schema), expected(message));
      if (apiKey !== undefined) assert.equal(message.apiKey, apiKey);
    });
  }
});
