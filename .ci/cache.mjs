// The folder for what tests and tools fetch once: Node 24, a VS Code server, Apache Kafka.
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Absolute path of the cache folder; `KAFKA_WORKBENCH_CACHE` moves it, to share it between checkouts. */
export function cacheDir() {
  const folder =
    process.env.KAFKA_WORKBENCH_CACHE ?? path.join(import.meta.dirname, '..', '.cache');
  mkdirSync(folder, { recursive: true });
  return path.resolve(folder);
}
