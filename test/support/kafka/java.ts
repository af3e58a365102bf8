// How the JVM is started: for a short life, with class data shared between runs (AppCDS).
import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheDir } from '../../../.ci/cache.mjs';
import { run } from '../process.ts';
import type { Finished, RunOptions } from '../process.ts';
import { kafkaHome } from './home.ts';
import type { KafkaHome, KafkaVersion, LogKind } from './home.ts';

export interface JavaOptions {
  /** Largest heap in MiB. */
  readonly heapMiB?: number;
  readonly log?: LogKind;
  /** As Kafka's own scripts start it, for benchmarks: optimising compiler, G1. Slower to start. */
  readonly optimised?: boolean;
  /** More options for the JVM. */
  readonly jvm?: readonly string[];
  /** Folders and jars after Kafka's on the class path. */
  readonly classPath?: readonly string[];
}

export const CLASS_ARCHIVE_FILE = 'classes.jsa';

/** Folder of the class archive; realKafka.ts makes it once, every JVM that starts later uses it. */
export function classArchiveFolder(home: KafkaHome): string {
  return `${path.basename(home.folder)}-classes`;
}

/** Arguments for `java` that run `mainClass` from Kafka's jars. */
export function javaArguments(
  home: KafkaHome,
  mainClass: string,
  options: JavaOptions = {},
): string[] {
  const { heapMiB = 256, log = 'tool', optimised = false, jvm = [], classPath = [] } = options;
  const archive = path.join(cacheDir(), classArchiveFolder(home), CLASS_ARCHIVE_FILE);
  return [
    ...(optimised
      ? ['-server', '-XX:+UseG1GC', '-XX:MaxGCPauseMillis=20']
      : ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']),
    `-Xmx${heapMiB}m`,
    ...home.logOptions(log),
    // Made by another Java, the archive is left unused without a word.
    ...(existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`, '-Xshare:auto'] : []),
    ...jvm,
    '-cp',
    // The archive holds only while Kafka's jars come first.
    [home.classPath, ...classPath].join(path.delimiter),
    mainClass,
  ];
}

/**
 * Runs one of Kafka's command-line tools by its class, such as `org.apache.kafka.tools.TopicCommand`,
 * with Kafka's own arguments. Rejects after `timeoutMs`; a failing tool is a `code` other than 0.
 */
export async function runKafkaTool(
  className: string,
  args: readonly string[],
  options: RunOptions & JavaOptions & { readonly version?: KafkaVersion } = {},
): Promise<Finished> {
  const home = await kafkaHome(options.version);
  return run('java', [...javaArguments(home, className, options), ...args], options);
}
