/** The one input that says where the tail starts and ends, with its help. */
import { t } from '../../src/base/l10n.ts';
import {
  describeSeek,
  formatSeek,
  parseSeek,
  seekAliases,
  seekExamples,
  SeekSyntaxError,
} from '../../src/shared/seek.ts';
import { Combobox, type Suggestion } from '../kit/combobox.ts';

export interface SeekInputOptions {
  /** Gets the canonical expression, in which times carry the zone of the person who typed them. */
  readonly onSeek: (expression: string) => void;
  /** The first groups that hold a text. */
  readonly groups: (like: string) => Promise<readonly string[]>;
}

export function seekInput({ onSeek, groups }: SeekInputOptions): Combobox {
  const known = new KnownGroups(groups, () => input.suggestAgain());
  const input = new Combobox({
    label: t('Show records from'),
    placeholder: 'last 100, @-1h …',
    class: 'seek',
    revertOnLeave: true,
    suggest: (text) => suggest(text, known.names),
    onOpen: () => known.ask(typedGroup(input.value) ?? ''),
    explain: (text) => {
      if (text.trim() === '') return undefined;
      const read = tryParse(text);
      return read.problem === undefined
        ? { text: read.meaning, isProblem: false }
        : { text: read.problem, isProblem: !isBeginning(text) };
    },
    onCommit: (text) => {
      const read = tryParse(text);
      input.setProblem(read.problem);
      if (read.problem !== undefined) return;
      input.value = read.expression;
      onSeek(read.expression);
    },
  });
  return input;
}

type Read = { problem: undefined; expression: string; meaning: string } | { problem: string };

function tryParse(text: string): Read {
  try {
    const seek = parseSeek(text);
    return { problem: undefined, expression: formatSeek(seek), meaning: describeSeek(seek) };
  } catch (error) {
    if (error instanceof SeekSyntaxError) return { problem: error.message };
    throw error;
  }
}

/** What the cluster has answered last; the answer to what was typed before comes too late. */
class KnownGroups {
  readonly #ask: (like: string) => Promise<readonly string[]>;
  readonly #onAnswer: () => void;
  #asked: string | undefined;
  names: readonly string[] = [];

  constructor(ask: (like: string) => Promise<readonly string[]>, onAnswer: () => void) {
    this.#ask = ask;
    this.#onAnswer = onAnswer;
  }

  ask(like: string): void {
    this.#asked = like;
    this.#ask(like).then(
      (names) => {
        if (like !== this.#asked) return;
        this.names = names;
        this.#onAnswer();
      },
      // Then there are none to choose from, and a name can be typed.
      () => undefined,
    );
  }
}

/** What is typed of a group's name; undefined where it is of no group. */
function typedGroup(text: string): string | undefined {
  return /^\s*group\s+(.*)$/i.exec(text)?.[1]?.trim();
}

/** A group among examples of other starts. */
const fewGroups = 3;

/** The examples that begin as the text does; all of them where none does. Of groups those that there are. */
function suggest(text: string, groups: readonly string[]): readonly Suggestion[] {
  const group = typedGroup(text);
  if (group === undefined) return suggestStart(text, groups.slice(0, fewGroups));
  return suggestGroups(groups.filter((name) => name.toLowerCase().includes(group.toLowerCase())));
}

function suggestGroups(groups: readonly string[]): Suggestion[] {
  return groups.map((name) => ({ text: `group ${name}`, meaning: t('its committed offsets') }));
}

function suggestStart(text: string, groups: readonly string[]): readonly Suggestion[] {
  const examples = seekExamples();
  if (groups.length === 0) return matching(text, examples);
  const others = examples.filter((example) => typedGroup(example.text) === undefined);
  return matching(text, [...others, ...suggestGroups(groups)]);
}

function matching(text: string, examples: readonly Suggestion[]): readonly Suggestion[] {
  const typed = text.trim().toLowerCase();
  const known = typed === '' ? examples : [...examples, ...seekAliases()];
  const found = known.filter((example) => example.text.startsWith(typed));
  return found.length > 0 ? found : examples;
}

function isBeginning(text: string): boolean {
  return [...seekExamples(), ...seekAliases()].some((example) =>
    example.text.startsWith(text.trim().toLowerCase()),
  );
}
