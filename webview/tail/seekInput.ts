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

/** `onSeek` gets the canonical expression, in which times carry the zone of the person who typed them. */
export function seekInput(onSeek: (expression: string) => void): Combobox {
  const input = new Combobox({
    label: t('Show records from'),
    placeholder: 'last 100, @-1h …',
    class: 'seek',
    revertOnLeave: true,
    suggest,
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

/** The examples that begin as the text does; all of them where none does. */
function suggest(text: string): readonly Suggestion[] {
  const typed = text.trim().toLowerCase();
  const known = typed === '' ? seekExamples() : [...seekExamples(), ...seekAliases()];
  const matching = known.filter((example) => example.text.startsWith(typed));
  return matching.length > 0 ? matching : seekExamples();
}

function isBeginning(text: string): boolean {
  return [...seekExamples(), ...seekAliases()].some((example) =>
    example.text.startsWith(text.trim().toLowerCase()),
  );
}
