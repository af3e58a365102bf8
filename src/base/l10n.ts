/** Translations of one language: English words, with `{0}`, `{1}` … where values go, to words of that language. */
export type Translations = Readonly<Record<string, string>>;

export interface Language {
  /** As in `lang` of a page: `ko`. */
  readonly tag: string;
  readonly words: Translations;
}

let language: Language = { tag: 'en', words: {} };

/** Speaks this language from now on, in this process or page. What it has no words for is said in English. */
export function speak(next: Language): void {
  language = next;
}

/** The language that is spoken, to hand on to a worker or a page. */
export function spoken(): Language {
  return language;
}

/**
 * `message` in the language that is spoken, its `{0}`, `{1}` … filled with `values`. English is the key, as with
 * `vscode.l10n.t`; this one also works in workers and pages. A language may put the values into another order.
 */
export function t(message: string, ...values: readonly (string | number | bigint)[]): string {
  const { words } = language;
  const said = (Object.hasOwn(words, message) && words[message]) || message;
  return said.replace(/\{(\d+)\}/g, (whole, index: string) =>
    Number(index) < values.length ? String(values[Number(index)]) : whole,
  );
}
