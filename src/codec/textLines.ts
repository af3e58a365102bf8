import { createReadStream } from 'node:fs';

/**
 * The lines of a file, which end at line feeds alone: JSON may hold the line separators of Unicode as they are, at
 * which Node's readline splits. A line of more than `mostChars` is null.
 */
export async function* textLines(path: string, mostChars: number): AsyncGenerator<string | null> {
  let begun: string | null = '';
  // With an encoding, a stream of a file gives strings.
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n');
    begun = joined(begun, first, mostChars);
    for (const next of rest) {
      yield begun;
      begun = joined('', next, mostChars);
    }
  }
  if (begun !== '') yield begun;
}

function joined(begun: string | null, more: string, mostChars: number): string | null {
  return begun === null || begun.length + more.length > mostChars ? null : begun + more;
}
