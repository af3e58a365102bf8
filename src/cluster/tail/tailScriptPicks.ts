/** By field, the only properties of a payload that an expression can reach. */
export type Picks = Readonly<Partial<Record<'key' | 'value', readonly string[]>>>;

/**
 * What may reach a payload by another way than its name and a dot, or see which properties it has: escapes in names,
 * `eval`, and what is inherited.
 */
const roundabout = /\\|__|\b(?:eval|this|prototype)\b/;
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));
/** More than this are not worth picking one by one; they are the bits of a mask, too. */
const picksMax = 16;

/**
 * The properties of a payload that an expression names, where it names the payload for nothing else, as in
 * `value.total` and `value?.a.b`: nothing but these has to go to QuickJS. Undefined: the whole payload may be looked
 * at.
 */
function picksOf(source: string, field: 'key' | 'value'): readonly string[] | undefined {
  if (roundabout.test(source)) return undefined;
  const names = new Set<string>();
  for (const { index } of source.matchAll(new RegExp(`\\b${field}\\b`, 'g'))) {
    const after = source.slice(index + field.length);
    const name = /^\s*(?:\?\s*)?\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(after)?.[1];
    if (name === undefined || inherited.has(name)) return undefined;
    names.add(name);
  }
  return names.size > 0 && names.size <= picksMax ? [...names] : undefined;
}

export function picksIn(source: string): Picks {
  const key = picksOf(source, 'key');
  const value = picksOf(source, 'value');
  return { ...(key && { key }), ...(value && { value }) };
}

/**
 * In place of a length, before picked properties: all of them, or some. Next comes the mask of those that are strings,
 * whose lengths stand for them; of some, then that of those that are there.
 */
export const picked = { all: -2, some: -3 } as const;

/** Records as they are written for an expression: their text, and the numbers that say how it is cut. */
export interface ScriptText {
  readonly texts: string[];
  readonly cuts: unknown[];
}

/**
 * Writes what an expression can reach of a payload in place of its text. JSON is read here several times as fast as in
 * QuickJS, and most of it need not go there. False, with nothing written: it is no object, or holds what would not be
 * the same if it were written again.
 */
export function writePicked(
  { cuts, texts }: ScriptText,
  text: string,
  names: readonly string[],
): boolean {
  const object = text.startsWith('{') ? parsed(text) : undefined;
  if (!object) return false;
  const values: unknown[] = [];
  const strings: string[] = [];
  let [mask, stringMask] = [0, 0];
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    if (!Object.hasOwn(object, name)) continue;
    const value = object[name];
    if (!isWrittenAsRead(value, text)) return false;
    mask |= 1 << i;
    if (typeof value === 'string') {
      stringMask |= 1 << i;
      strings.push(value);
      values.push(value.length);
    } else {
      values.push(value);
    }
  }
  if (values.length === names.length) cuts.push(picked.all, stringMask, ...values);
  else cuts.push(picked.some, stringMask, mask, ...values);
  texts.push(...strings);
  return true;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** JSON has no infinity and no negative zero, though what reads it makes them of `1e999` and `-0`. */
function isWrittenAsRead(value: unknown, text: string): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value !== 'object' || value === null || !/-0|\d[eE]|\d{300}/.test(text);
}
