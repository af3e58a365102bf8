import { type Field, type Fields, zeroUuid } from './schema.ts';

/** What a field holds when nobody set it. */
export interface DefaultValue {
  /** The value; fresh each time where it could be changed. */
  make(): unknown;
  matches(value: unknown): boolean;
}

const scalarDefaults = {
  bool: false,
  int8: 0,
  int16: 0,
  int32: 0,
  uint16: 0,
  uint32: 0,
  float64: 0,
  int64: 0n,
  string: '',
  uuid: zeroUuid,
};

const constant = (value: unknown): DefaultValue => ({
  make: () => value,
  matches: (other) => other === value,
});

/** Shared, since nothing can be changed in it. */
const noBytes = Buffer.alloc(0);

const emptyBytes: DefaultValue = {
  make: () => noBytes,
  matches: (value) => value instanceof Uint8Array && value.length === 0,
};

const emptyArray: DefaultValue = {
  make: () => [],
  matches: (value) => Array.isArray(value) && value.length === 0,
};

type NamedDefault = readonly [name: string, value: DefaultValue];

/**
 * Makes structs that hold their defaults by copying a template, so that all of one kind have one
 * hidden class. Defaults that could be changed are made afresh for the names that `isFresh` picks.
 */
export function structMaker(
  defaults: readonly NamedDefault[],
  isFresh: (name: string) => boolean,
): () => Record<string, unknown> {
  const template = Object.fromEntries(defaults.map(([name, value]) => [name, value.make()]));
  const fresh = defaults.filter(
    ([name]) => typeof template[name] === 'object' && template[name] !== null && isFresh(name),
  );
  return () => {
    const values = { ...template };
    for (const [name, value] of fresh) values[name] = value.make();
    return values;
  };
}

/** A struct's default has every field at its default, and equals any other such. */
function structDefault(fields: Fields): DefaultValue {
  const defaults = Object.entries(fields).map(([name, field]) => [name, defaultOf(field)] as const);
  return {
    make: structMaker(defaults, () => true),
    matches(value) {
      if (typeof value !== 'object' || value === null) return false;
      const values = value as Record<string, unknown>;
      return defaults.every(
        ([name, usual]) => values[name] === undefined || usual.matches(values[name]),
      );
    },
  };
}

/** The default of a field: as declared, or what Kafka's generator takes for its type. */
export function defaultOf(field: Field): DefaultValue {
  if (field.default !== undefined) return constant(field.default);
  if (field.type === 'struct') return structDefault(field.fields);
  if (field.type === 'array') return emptyArray;
  if (field.type === 'bytes' || field.type === 'records') return emptyBytes;
  return constant(scalarDefaults[field.type]);
}
