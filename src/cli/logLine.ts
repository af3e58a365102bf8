/** One line of a log. What clients send gets into messages, and must neither begin a line nor command the terminal. */
export function logLine(nowMs: number, level: string, message: string): string {
  const text = message.replace(/\n/g, '\n  ').replace(commands, escaped);
  return `${new Date(nowMs).toISOString()} ${level} ${text}\n`;
}

/** The control characters but line feed and tab, also those above ASCII. */
const commands = /[^\P{Cc}\n\t]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
