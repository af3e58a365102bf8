/**
 * Kafka's messages as data. One value describes every version of a message; its TypeScript type, its
 * encoder and its decoder are all derived from it (`messageCodec.ts`). The attributes are those of
 * Kafka's own definitions (`common/message/*.json` in kafka-clients).
 */

/** `"3"`, `"0-12"`, `"4+"`, or `"none"`. */
export type VersionRange = string;

interface FieldAttributes {
  /** Versions that have the field; outside them it takes its default. */
  readonly versions: VersionRange;
  /** Versions in which the field may be null. */
  readonly nullable?: VersionRange;
  /** Tag number, for a field that travels in the tagged section. */
  readonly tag?: number;
  /** Versions in which the field is tagged, where they are not `versions`. */
  readonly tagged?: VersionRange;
  /** May be dropped silently for a version without it; otherwise a value that is not the default is an error. */
  readonly ignorable?: true;
  /** Overrides the message's flexible versions for this field (RequestHeader's clientId). */
  readonly flexible?: VersionRange;
}

interface Primitive<Name extends string, T> extends FieldAttributes {
  readonly type: Name;
  readonly default?: T | null;
}

export type PrimitiveField =
  | Primitive<'bool', boolean>
  | Primitive<'int8' | 'int16' | 'int32' | 'uint16' | 'uint32' | 'float64', number>
  | Primitive<'int64', bigint>
  | Primitive<'string' | 'uuid', string>
  | Primitive<'bytes' | 'records', never>;

export interface StructField extends FieldAttributes {
  readonly type: 'struct';
  readonly fields: Fields;
  readonly default?: null;
}

export interface ArrayField extends FieldAttributes {
  readonly type: 'array';
  readonly items: PrimitiveField['type'] | Fields;
  readonly default?: null;
}

export type Field = PrimitiveField | StructField | ArrayField;

/** Fields in wire order. An interface, because an alias may not refer to itself here. */
// eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style
export interface Fields {
  readonly [name: string]: Field;
}

export interface MessageSchema {
  /** Kafka's name, such as `FetchRequest`. */
  readonly name: string;
  readonly versions: VersionRange;
  /** Versions with compact lengths and tagged fields. */
  readonly flexible: VersionRange;
  readonly fields: Fields;
}

/** UUIDs travel as Kafka prints them: 22 characters of URL-safe base64. This is the all-zero one. */
export const zeroUuid = 'AAAAAAAAAAAAAAAAAAAAAA';

interface PrimitiveTypes {
  bool: boolean;
  int8: number;
  int16: number;
  int32: number;
  uint16: number;
  uint32: number;
  float64: number;
  int64: bigint;
  string: string;
  uuid: string;
  bytes: Uint8Array;
  records: Uint8Array;
}

type OrNull<F> = F extends { readonly nullable: string } ? null : never;

type ItemOf<I> = I extends keyof PrimitiveTypes
  ? PrimitiveTypes[I]
  : I extends Fields
    ? StructOf<I>
    : never;

type ValueOf<F> =
  | OrNull<F>
  | (F extends { readonly type: 'array'; readonly items: infer I }
      ? ItemOf<I>[]
      : F extends { readonly type: 'struct'; readonly fields: infer S extends Fields }
        ? StructOf<S>
        : F extends { readonly type: infer T extends keyof PrimitiveTypes }
          ? PrimitiveTypes[T]
          : never);

type StructOf<S extends Fields> = { -readonly [K in keyof S]: ValueOf<S[K]> };

type InputItemOf<I> = I extends keyof PrimitiveTypes
  ? PrimitiveTypes[I]
  : I extends Fields
    ? InputStructOf<I>
    : never;

type InputValueOf<F> =
  | OrNull<F>
  | (F extends { readonly type: 'array'; readonly items: infer I }
      ? readonly InputItemOf<I>[]
      : F extends { readonly type: 'struct'; readonly fields: infer S extends Fields }
        ? InputStructOf<S>
        : F extends { readonly type: infer T extends keyof PrimitiveTypes }
          ? PrimitiveTypes[T]
          : never);

type InputStructOf<S extends Fields> = { readonly [K in keyof S]?: InputValueOf<S[K]> };

/** What decoding gives: every field is there, with its default where the version lacks it. */
export type Message<S extends MessageSchema> = StructOf<S['fields']>;

/** What encoding takes: a field left out has its default. */
export type MessageInput<S extends MessageSchema> = InputStructOf<S['fields']>;
