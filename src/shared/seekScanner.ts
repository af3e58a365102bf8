import { t } from '../base/l10n.ts';

/** A seek expression that cannot be read: what is wrong, where, and what would be accepted there. */
export class SeekSyntaxError extends Error {
  override name = 'SeekSyntaxError';
  /** In UTF-16 code units from the start of the text. */
  readonly position: number;
  readonly expected: readonly string[];

  constructor(problem: string, position: number, expected: readonly string[]) {
    super(
      expected.length > 0
        ? t('At character {0}, {1}: expected {2}.', position + 1, problem, listed(expected))
        : t('At character {0}, {1}.', position + 1, problem),
    );
    this.position = position;
    this.expected = expected;
  }
}

function listed(choices: readonly string[]): string {
  const last = choices.at(-1) ?? '';
  return choices.length < 2 ? last : t('{0} or {1}', choices.slice(0, -1).join(', '), last);
}

/** Reads a line from left to right. */
export class Scanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  atEnd(): boolean {
    return this.position >= this.text.length;
  }

  get rest(): string {
    return this.text.slice(this.position);
  }

  skipSpaces(): void {
    this.match(/\s+/y);
  }

  /** Moves past `literal` if it is next. */
  take(literal: string): boolean {
    const found = this.text.startsWith(literal, this.position);
    if (found) this.position += literal.length;
    return found;
  }

  /** The letters that are next, in lower case; empty where there are none. */
  word(): string {
    return (this.match(/[a-z]+/iy)?.[0] ?? '').toLowerCase();
  }

  /** Moves past a sticky expression if it matches here; with `peek`, only looks. */
  match(expression: RegExp, { peek = false } = {}): RegExpExecArray | undefined {
    expression.lastIndex = this.position;
    const found = expression.exec(this.text) ?? undefined;
    if (found && !peek) this.position += found[0].length;
    return found;
  }

  /** The next piece, in quotes, cut to what a message can carry. */
  quoteNext(): string {
    const [piece = ''] = /^\S*/.exec(this.rest) ?? [];
    return piece === '' ? t('a space') : `“${Array.from(piece).slice(0, 20).join('')}”`;
  }

  problem(what: string, expected: readonly string[]): SeekSyntaxError {
    return new SeekSyntaxError(what, this.position, expected);
  }
}
