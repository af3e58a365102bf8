import { t } from '../../base/l10n.ts';

/** One logical line of a `.properties` file. */
export interface PropertyLine {
  readonly name: string;
  readonly value: string;
  /** From 1; the first, where a backslash joins several. */
  readonly line: number;
}

/** Far more than any client's configuration. */
const longestText = 512 * 1024;

/** Reads a `.properties` file as Java does: comments, joined lines, escapes. [java.util.Properties.load] */
export function parseProperties(text: string): PropertyLine[] {
  if (text.length > longestText)
    throw new Error(t('This is too long for the settings of a client.'));
  return logicalLines(text).map(({ line, content }) => {
    const separator = /^((?:\\.|[^\\\s=:])*)(?:\s*[=:]\s*|\s+|$)([\s\S]*)$/.exec(content);
    const [, name = '', value = ''] = separator ?? [];
    return { name: unescape(name), value: unescape(value), line };
  });
}

interface LogicalLine {
  readonly line: number;
  content: string;
}

function logicalLines(text: string): LogicalLine[] {
  const found: LogicalLine[] = [];
  let joined: LogicalLine | undefined;
  for (const [index, natural] of text.split(/\r\n|\r|\n/).entries()) {
    const content = natural.trimStart();
    if (!joined && (content === '' || /^[#!]/.test(content))) continue;
    if (joined) joined.content += content;
    else found.push((joined = { line: index + 1, content }));
    // An odd number of backslashes at the end: the last is not itself escaped.
    const backslashes = /\\*$/.exec(content)?.[0].length ?? 0;
    if (backslashes % 2 === 1) joined.content = joined.content.slice(0, -1);
    else joined = undefined;
  }
  return found;
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

function unescape(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_all, code?: string, char = '') =>
    code === undefined
      ? (escapes[char as string] ?? (char as string))
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
