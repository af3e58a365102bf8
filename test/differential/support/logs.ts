import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Run } from './run.ts';

/** What lies in the logs of a run's topics, by partition: the bytes of their segments, one after the other. */
export function logsOf(run: Run): ReadonlyMap<string, Buffer> {
  const logs = new Map<string, Buffer>();
  for (const { name, partitions } of run.topics)
    for (let partition = 0; partition < partitions; partition++) {
      const folder = path.join(run.logFolder, `${name}-${partition}`);
      if (!existsSync(folder)) throw new Error(`there is no ${folder}`);
      const segments = readdirSync(folder).filter((file) => file.endsWith('.log'));
      const bytes = segments.sort().map((file) => readFileSync(path.join(folder, file)));
      logs.set(`${name}-${partition}`, Buffer.concat(bytes));
    }
  return logs;
}
