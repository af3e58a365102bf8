import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { ROOT } from '../../support/words.ts';

/** A valibot schema, as far as a walk through it has to know. */
interface Schema {
  readonly kind: 'schema';
  readonly type: string;
  readonly pipe?: readonly { readonly type: string }[];
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly options?: readonly unknown[];
  readonly items?: readonly Schema[];
  readonly item?: Schema;
  readonly key?: Schema;
  readonly value?: Schema;
  readonly wrapped?: Schema;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

/** A pipe's first step may be another pipe. */
function hasBound({ pipe = [] }: Schema): boolean {
  return pipe.some((step) => step.type === 'max_length' || (isSchema(step) && hasBound(step)));
}

/** Where a schema takes a string or an array of any length. */
function unbounded(schema: Schema, place: string): string[] {
  const { type, entries = {}, options = [], items = [] } = schema;
  const needsBound = type === 'string' || type === 'array';
  const children = [
    ...Object.entries(entries).map(([name, entry]) => [entry, `${place}.${name}`] as const),
    ...options.filter(isSchema).map((option) => [option, place] as const),
    ...items.map((item, index) => [item, `${place}[${index}]`] as const),
    ...[schema.item, schema.key, schema.value, schema.wrapped]
      .filter((inner) => inner !== undefined)
      .map((inner) => [inner, `${place}[]`] as const),
  ];
  return [
    ...(needsBound && !hasBound(schema) ? [`${place}: ${type}`] : []),
    ...children.flatMap(([child, where]) => unbounded(child, where)),
  ];
}

function schemasIn(value: unknown, place: string): [Schema, string][] {
  if (isSchema(value)) return [[value, place]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => schemasIn(inner, `${place}.${name}`));
}

const folder = path.join(ROOT, 'src/shared/contracts');
/** Their other side is a process or a thread of ours, and no page. */
const ours = ['control.ts', 'tailScript.ts'];

describe('the contracts of pages', () => {
  it('take no string and no array without a bound', async () => {
    const faults: string[] = [];
    let looked = 0;
    for (const file of readdirSync(folder).filter((name) => !ours.includes(name))) {
      const contract: unknown = await import(path.join(folder, file));
      for (const [schema, place] of schemasIn(contract, file)) {
        faults.push(...unbounded(schema, place));
        looked++;
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(looked > 100, 'the contracts were looked through');
  });

  it('would be told of one', async () => {
    const { array, object, optional, string } = await import('valibot');
    const careless = object({ rows: optional(array(object({ note: string() }))) });
    assert.deepEqual(unbounded(careless as unknown as Schema, 'careless'), [
      'careless.rows[]: array',
      'careless.rows[][].note: string',
    ]);
  });
});
