// Kafka's command-line tools under the names and in the folder that people's scripts expect: KAFKA_PATH/bin/*.sh.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { kafkaHome } from '../../../support/kafka/home.ts';
import { javaArguments } from '../../../support/kafka/java.ts';

const classes = {
  'kafka-acls.sh': 'org.apache.kafka.tools.AclCommand',
  'kafka-topics.sh': 'org.apache.kafka.tools.TopicCommand',
} as const;

/** Fills an empty folder, which then serves as KAFKA_PATH. */
export async function writeKafkaScripts(folder: string): Promise<void> {
  const home = await kafkaHome();
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  await symlink(path.join(home.folder, 'libs'), path.join(folder, 'libs'));
  for (const [name, className] of Object.entries(classes))
    await writeScript(folder, name, javaArguments(home, className).map(quoted));
  // It takes the class as its first argument, and more of a class path from the environment.
  const options = javaArguments(home, '').slice(0, -2).map(quoted);
  const classPath = `${quoted(home.classPath)}:"$CLASSPATH"`;
  await writeScript(folder, 'kafka-run-class.sh', [...options, classPath]);
}

async function writeScript(folder: string, name: string, args: readonly string[]): Promise<void> {
  const script = `#!/bin/sh\nexec java ${args.join(' ')} "$@"\n`;
  await writeFile(path.join(folder, 'bin', name), script, { mode: 0o755 });
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
