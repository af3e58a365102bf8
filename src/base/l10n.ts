/** Translations of one language: English words, with `{0}`, `{1}` … where values go, to words of that language. */
export type Translations = Readonly<Record<string, string>>;

let translations: Translations = {};

/** Speaks this language from now on, in this process or page. What it has no words for is said in English. */
export function speak(words: Translations): void {
  translations = words;
}

/**
 * `message` in the language that is spoken, its `{0}`, `{1}` … filled with `values`. English is the key, as with
 * `vscode.l10n.t`; this one also works in workers and pages. A language may put the values into another order.
 */
export function t(message: string, ...values: readonly (string | number | bigint)[]): string {
  const said = Object.hasOwn(translations, message) ? translations[message]! : message;
  return said.replace(/\{(\d+)\}/g, (whole, index: string) =>
    Number(index) < values.length ? String(values[Number(index)]) : whole,
  );
}
