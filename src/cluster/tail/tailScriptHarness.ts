/** What surrounds a person's expression in QuickJS. */
import { scriptFields, type ScriptField } from '../../shared/contracts/tailScript.ts';
import { type Picks, picked } from './tailScriptPicks.ts';

/** What is there once, for whatever expression comes. */
export const scriptHarness = `'use strict';
(() => {
  const { parse, stringify } = JSON;
  const jsonOr = (text) => {
    try { return parse(text); } catch { return text; }
  };
  let judge = () => undefined;
  let verdicts = [];
  globalThis.__use = (next) => { judge = next; };
  globalThis.__verdicts = () => stringify(verdicts);
  globalThis.__judge = (texts, json, count, isJson) => {
    verdicts = [];
    judge(isJson ? parse(texts) : texts, parse(json), +count, verdicts, jsonOr);
  };
})();`;

/**
 * Code that puts an expression in force: a loop over records that reads the fields that it names and no others. Every
 * call costs QuickJS a tenth of a microsecond, so there are few in it.
 */
export function useScript(
  expression: string,
  fields: readonly ScriptField[],
  picks: Picks,
): string {
  const named = scriptFields.filter((field) => fields.includes(field));
  const given = scriptFields.map((field) => (named.includes(field) ? field : 'undefined'));
  return `__use(((test) => {
    'use strict';
    return (texts, cuts, count, verdicts, jsonOr) => {
      let cut = 0, position = 0, length = 0;
      for (let i = 0; i < count; i++) {
        ${named.map((field) => readers[field](field, picks)).join('\n')}
        try {
          ${named.map(asGiven).join('\n')}
          verdicts[i] = !!test(${given.join(', ')});
        } catch (error) {
          verdicts[i] =
            error instanceof Error ? error.name + ': ' + error.message : String(error);
        }
      }
    };
  })((${scriptFields.join(', ')}) => ${expression}))`;
}

type Reader = (field: ScriptField, picks: Picks) => string;

const text = '(length = cuts[cut++]) < 0 ? null : texts.slice(position, (position += length))';

const readers: Readonly<Record<ScriptField, Reader>> = {
  key: (field, { key }) => readPayload(field, key),
  value: (field, { value }) => readPayload(field, value),
  headers: () => `const headers = [];
    for (let left = cuts[cut++]; left > 0; left--) headers.push({ key: ${text}, value: ${text} });`,
  offset: readNumber,
  partition: readNumber,
  timestamp: readNumber,
};

/** Not a constant: a payload becomes what its JSON says, and 64 bits a BigInt. */
function readNumber(field: ScriptField): string {
  return `let ${field} = cuts[cut++];`;
}

/** As text, or from the properties that were picked from it. */
function readPayload(field: ScriptField, names: readonly string[] | undefined): string {
  if (!names) return `let ${field} = ${text};`;
  const properties = names.map((name, i) => ({
    name: JSON.stringify(name),
    value: `strings & ${1 << i} ? texts.slice(position, (position += cuts[cut++])) : cuts[cut++]`,
    isThere: `mask & ${1 << i}`,
  }));
  const all = properties.map(({ name, value }) => `${name}: ${value}`);
  const some = properties.map(
    ({ name, value, isThere }) => `if (${isThere}) ${field}[${name}] = ${value};`,
  );
  return `let ${field};
    if (cuts[cut] === ${picked.all}) {
      const strings = cuts[cut + 1];
      cut += 2;
      ${field} = { ${all.join(', ')} };
    } else if (cuts[cut] === ${picked.some}) {
      const strings = cuts[cut + 1];
      const mask = cuts[cut + 2];
      cut += 3;
      ${field} = {};
      ${some.join('\n')}
    } else {
      ${field} = ${text};
    }`;
}

/** A payload that is a JSON object or array is one; any other is its text. What a number cannot hold is a BigInt. */
function asGiven(field: ScriptField): string {
  switch (field) {
    case 'key':
    case 'value':
      return `if (typeof ${field} === 'string' && (${field}[0] === '{' || ${field}[0] === '['))
        ${field} = jsonOr(${field});`;
    case 'offset':
    case 'timestamp':
      return `if (typeof ${field} === 'string') ${field} = BigInt(${field});`;
    case 'headers':
    case 'partition':
      return '';
  }
}
