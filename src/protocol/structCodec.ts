import type { Steps } from '../base/turns.ts';
import { assert } from '../base/assert.ts';
import { arrayCodec } from './arrayCodec.ts';
import type { ByteReader } from './byteReader.ts';
import { ByteWriter } from './byteWriter.ts';
import { asWriteError, type Codec, heapBytesOf } from './codec.ts';
import { defaultOf, structMaker, type DefaultValue } from './defaults.ts';
import { nullableStructCodec, primitiveCodec, taggedNullableStructCodec } from './fieldCodecs.ts';
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
  const lists = plan.ordered.filter(({ codec }) => codec.inSteps !== undefined);
  return {
    isStruct: true,
    heapBytes: heapBytesOfStruct(fields, plan),
    read: (reader) => readStruct(plan, layout, reader),
    write: (writer, value) => writeStruct(plan, layout, { writer, values: value as Values }),
    ...(lists.length > 0 && {
      inSteps: {
        read: (reader) => readStructInSteps(plan, layout, reader),
        write: (writer, value) =>
          writeStructInSteps(plan, layout, { writer, values: value as Values }),
        itemsIn: (value) => itemsIn(lists, value as Values),
      },
    }),
  };
}

/** All structs of a kind have all fields, also those that their version lacks. */
function heapBytesOfStruct(fields: Fields, { ordered, tagged }: StructPlan): number {
  const places = heapBytesOf.object + heapBytesOf.pointer * Object.keys(fields).length;
  return [...ordered, ...tagged].reduce((sum, { codec }) => sum + codec.heapBytes, places);
}

function itemsIn(lists: readonly FieldPlan[], values: Values): number {
  let items = 0;
  for (const { name, codec } of lists) {
    const value = values[name];
    if (value !== undefined) items += codec.inSteps?.itemsIn(value) ?? 0;
  }
  return items;
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
  const item =
    typeof field.items === 'string'
      ? primitiveCodec(field.items, { flexible, nullable: false })
      : structCodec(field.items, layout);
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

function* readStructInSteps(plan: StructPlan, layout: Layout, reader: ByteReader): Steps<Values> {
  const values = plan.empty();
  let name = '';
  try {
    for (const { name: each, codec } of plan.ordered) {
      name = each;
      values[name] = codec.inSteps ? yield* codec.inSteps.read(reader) : codec.read(reader);
    }
    name = 'tagged fields';
    if (layout.flexible) readTagged(plan.tagged, values, reader);
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

function* writeStructInSteps(plan: StructPlan, layout: Layout, target: WriteTarget): Steps<void> {
  const { writer, values } = target;
  let name = '';
  try {
    for (const field of writer.isLenient ? [] : plan.required) {
      name = field.name;
      refuseValue(field, values[name], layout.version);
    }
    for (const { name: each, codec, default: usual } of plan.ordered) {
      name = each;
      const value = values[name] === undefined ? usual.make() : values[name];
      if (codec.inSteps) yield* codec.inSteps.write(writer, value);
      else codec.write(writer, value);
    }
    name = 'tagged fields';
    if (layout.flexible) writeTagged(plan.tagged, target);
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
