import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { differences, shorten } from './compare.ts';

/** Of one side: each partition with its batches as text. */
export type Logs = ReadonlyMap<string, readonly string[]>;

/** Where logs lie, and of which topics. */
interface Written {
  readonly logFolder: string;
  readonly topics: readonly { readonly name: string; readonly partitions: number }[];
}

/** What lies in the logs of these topics, by partition: the bytes of their segments, one after the other. */
export function logsOf({ logFolder, topics }: Written): ReadonlyMap<string, Buffer> {
  const logs = new Map<string, Buffer>();
  for (const { name, partitions } of topics)
    for (let partition = 0; partition < partitions; partition++) {
      const folder = path.join(logFolder, `${name}-${partition}`);
      // Ours makes it with the first batch.
      const files = existsSync(folder) ? readdirSync(folder) : [];
      const segments = files.filter((file) => file.endsWith('.log'));
      const bytes = segments.sort().map((file) => readFileSync(path.join(folder, file)));
      logs.set(`${name}-${partition}`, Buffer.concat(bytes));
    }
  return logs;
}

export function* differencesOfLogs(ours: Logs, kafkas: Logs): Generator<string> {
  for (const [name, theirs] of kafkas) {
    const mine = ours.get(name) ?? [];
    if (mine.length !== theirs.length)
      yield `log of ${name}: ours has ${mine.length} batches, Kafka's ${theirs.length}`;
    for (const [i, batch] of theirs.entries())
      for (const { path: field, ours: a, kafkas: b } of differences(parse(mine[i]), parse(batch)))
        yield `log of ${name}, batch ${i}: ${field}: ours ${shorten(a)}, Kafka's ${shorten(b)}`;
  }
}

const parse = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);
