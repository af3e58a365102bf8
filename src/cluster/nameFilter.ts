import { parseTailFilter } from '../shared/tailFilter.ts';
import { compileRegex } from './userRegex.ts';

/** Chooses among the names of topics or groups. */
export interface NameFilter {
  /** As it was typed. */
  readonly text: string;
  matches(name: string): boolean;
  /** Judges names ahead, a slice at a time, so that `matches` answers at once for as many as there are. */
  prepare(names: readonly string[]): Promise<void>;
}

/** RE2 in JavaScript takes microseconds a name: this many keep the event loop waiting for a few milliseconds. */
const namesAtOnce = 500;

/**
 * The filter that was typed: part of the name, in capitals or not, or `/regular expression/` in RE2's syntax.
 * Undefined: every name. Throws a ProblemError for an expression that cannot be read.
 */
export function readNameFilter(typed: string): NameFilter | undefined {
  const filter = parseTailFilter(typed);
  if (filter.kind === 'none') return undefined;
  const text = typed.trim();
  if (filter.kind === 'regex') return regexFilter(text, filter.pattern, filter.flags);
  // `js:` means nothing for names, so it is part of one.
  const needle = text.toLowerCase();
  return {
    text,
    matches: (name) => name.toLowerCase().includes(needle),
    prepare: () => Promise.resolve(),
  };
}

function regexFilter(text: string, pattern: string, flags: string): NameFilter {
  const compiled = compileRegex(pattern, flags);
  let verdicts = new Map<string, boolean>();
  const matches = (name: string): boolean => {
    let verdict = verdicts.get(name);
    if (verdict === undefined) verdicts.set(name, (verdict = compiled.matcher(name).find()));
    return verdict;
  };
  return {
    text,
    matches,
    async prepare(names) {
      // Names that have gone are forgotten here.
      const known = verdicts;
      verdicts = new Map();
      for (let first = 0; first < names.length; first += namesAtOnce) {
        for (const name of names.slice(first, first + namesAtOnce)) {
          const verdict = known.get(name);
          if (verdict === undefined) matches(name);
          else verdicts.set(name, verdict);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
