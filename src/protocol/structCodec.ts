import { assert } from '../base/assert.ts';
import type { ByteReader } from './byteReader.ts';
import { ByteWriter } from './byteWriter.ts';
import { defaultOf, structMaker, type DefaultValue } from './defaults.ts';
import {
  arrayCodec,
  asWriteError,
  nullableStructCodec,
  primitiveCodec,
  structArrayCodec,
  taggedNullableStructCodec,
  type Codec,
  type ReadSteps,
} from './fieldCodecs.ts';
import { ProtocolError, UnsupportedVersionError } from './protocolError.ts';
import type { Field, Fields } from './schema.ts';
import { includesVersion } from './versions.ts';

type Values = Record<string, unknown>;

/** What decides how the fields of one message travel. */
interface Layout {
  readonly version: number;
  /** The version has compact lengths and tagged sections. */
  readonly flexible: boolean;
}

/** One field in one version. */
interface FieldPlan {
  readonly name: string;
  readonly codec: Codec;
  readonly default: DefaultValue;
}

interface TaggedPlan extends FieldPlan {
  readonly tag: number;
}

interface StructPlan {
  readonly ordered: readonly FieldPlan[];
  /** By ascending tag. */
  readonly tagged: readonly TaggedPlan[];
  /** Not in this version; a value other than the default is an error. */
  readonly required: readonly FieldPlan[];
  /** Every field, with its default. */
  readonly empty: () => Values;
}

/** The codec of a struct, or of a whole message, in one version. */
export function structCodec(fields: Fields, layout: Layout): Codec {
  const plan = planStruct(fields, layout);
  const hasSteps = plan.ordered.some(({ codec }) => codec.steps !== undefined);
  return {
    read: (reader) => readStruct(plan, layout, reader),
    ...(hasSteps && { steps: (reader) => readStructInSteps(plan, layout, reader) }),
    write: (writer, value) => writeStruct(plan, layout, { writer, values: value as Values }),
  };
}

function planStruct(fields: Fields, layout: Layout): StructPlan {
  const ordered: FieldPlan[] = [];
  const tagged: TaggedPlan[] = [];
  const required: FieldPlan[] = [];
  const defaults: [string, DefaultValue][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const place = placeOf(field, layout);
    const fieldPlan: FieldPlan = {
      name,
      codec: fieldCodec(field, layout, place === 'tagged'),
      default: defaultOf(field),
    };
    if (place === 'ordered') ordered.push(fieldPlan);
    else if (place === 'tagged') tagged.push({ ...fieldPlan, tag: tagOf(field) });
    else if (!field.ignorable) required.push(fieldPlan);
    defaults.push([name, fieldPlan.default]);
  }
  tagged.sort((left, right) => left.tag - right.tag);
  const read = new Set(ordered.map(({ name }) => name));
  return { ordered, tagged, required, empty: structMaker(defaults, (name) => !read.has(name)) };
}

function placeOf(field: Field, { version }: Layout): 'ordered' | 'tagged' | 'absent' {
  if (!includesVersion(field.versions, version)) return 'absent';
  if (field.tag === undefined) return 'ordered';
  return includesVersion(field.tagged ?? field.versions, version) ? 'tagged' : 'ordered';
}

function tagOf(field: Field): number {
  assert(field.tag !== undefined, 'a tagged field has a tag');
  return field.tag;
}

function fieldCodec(field: Field, layout: Layout, tagged: boolean): Codec {
  const flexible =
    field.flexible === undefined
      ? layout.flexible
      : includesVersion(field.flexible, layout.version);
  const nullable = includesVersion(field.nullable ?? 'none', layout.version);
  if (field.type === 'struct') {
    const struct = structCodec(field.fields, layout);
    if (!nullable) return struct;
    return tagged ? taggedNullableStructCodec(struct) : nullableStructCodec(struct);
  }
  if (field.type !== 'array') return primitiveCodec(field.type, { flexible, nullable });
  if (typeof field.items !== 'string') {
    return structArrayCodec(structCodec(field.items, layout), { flexible, nullable });
  }
  const item = primitiveCodec(field.items, { flexible, nullable: false });
  return arrayCodec(item, { flexible, nullable });
}

function readStruct(plan: StructPlan, layout: Layout, reader: ByteReader): Values {
  const values = plan.empty();
  let name = '';
  try {
    for (const field of plan.ordered) {
      name = field.name;
      values[name] = field.codec.read(reader);
    }
    if (layout.flexible) {
      name = 'tagged fields';
      readTagged(plan.tagged, values, reader);
    }
  } catch (error) {
    throw error instanceof ProtocolError ? error.within(name) : error;
  }
  return values;
}

/** As `readStruct` does it at once. */
function* readStructInSteps(plan: StructPlan, layout: Layout, reader: ByteReader): ReadSteps {
  const values = plan.empty();
  let name = '';
  try {
    for (const field of plan.ordered) {
      name = field.name;
      const { codec } = field;
      values[name] = codec.steps ? yield* codec.steps(reader) : codec.read(reader);
    }
    if (layout.flexible) {
      name = 'tagged fields';
      readTagged(plan.tagged, values, reader);
    }
  } catch (error) {
    throw error instanceof ProtocolError ? error.within(name) : error;
  }
  return values;
}

function readTagged(tagged: readonly TaggedPlan[], values: Values, reader: ByteReader): void {
  // Each takes two bytes at least, so that a false count ends with the bytes.
  const count = reader.readUnsignedVarint();
  for (let index = 0; index < count; index++) {
    const tag = reader.readUnsignedVarint();
    const size = reader.readUnsignedVarint();
    if (size > reader.remaining) throw reader.error(`tag ${tag} claims ${size} bytes`);
    const field = tagged.find((candidate) => candidate.tag === tag);
    if (field === undefined) {
      reader.skip(size);
      continue;
    }
    const end = reader.position + size;
    values[field.name] = field.codec.read(reader);
    if (reader.position !== end) throw reader.error(`tag ${tag} does not take ${size} bytes`);
  }
}

interface WriteTarget {
  readonly writer: ByteWriter;
  readonly values: Values;
}

function writeStruct(plan: StructPlan, layout: Layout, target: WriteTarget): void {
  const { writer, values } = target;
  let name = '';
  try {
    for (const field of writer.isLenient ? [] : plan.required) {
      name = field.name;
      refuseValue(field, values[name], layout.version);
    }
    for (const field of plan.ordered) {
      name = field.name;
      const value = values[name];
      field.codec.write(writer, value === undefined ? field.default.make() : value);
    }
    if (layout.flexible) {
      name = 'tagged fields';
      writeTagged(plan.tagged, target);
    }
  } catch (error) {
    throw asWriteError(error).within(name);
  }
}

function refuseValue(field: FieldPlan, value: unknown, version: number): void {
  if (value === undefined || field.default.matches(value)) return;
  throw new UnsupportedVersionError(`version ${version} cannot carry a value for it`);
}

/** A tagged field travels only if its value is not the default. [KIP-482] */
function writeTagged(tagged: readonly TaggedPlan[], { writer, values }: WriteTarget): void {
  const present = tagged.filter(({ name, default: usual }) => {
    const value = values[name];
    return value !== undefined && !usual.matches(value);
  });
  writer.writeUnsignedVarint(present.length);
  for (const field of present) {
    const content = new ByteWriter(writer);
    try {
      field.codec.write(content, values[field.name]);
    } catch (error) {
      throw asWriteError(error).within(field.name);
    }
    writer.writeUnsignedVarint(field.tag);
    writer.writeUnsignedVarint(content.size);
    writer.append(content);
  }
}
