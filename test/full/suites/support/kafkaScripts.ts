// Kafka's scripts under the names and in the folder that people's scripts expect: KAFKA_PATH/bin/*.sh.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type KafkaHome, kafkaHome } from '../../../support/kafka/home.ts';
import { javaArguments } from '../../../support/kafka/java.ts';
import type { Kind } from './suiteBroker.ts';

const classes = {
  'kafka-acls.sh': 'org.apache.kafka.tools.AclCommand',
  'kafka-console-consumer.sh': 'org.apache.kafka.tools.consumer.ConsoleConsumer',
  'kafka-console-producer.sh': 'org.apache.kafka.tools.ConsoleProducer',
  'kafka-topics.sh': 'org.apache.kafka.tools.TopicCommand',
} as const;

/** Fills an empty folder, which then serves as KAFKA_PATH. */
export async function writeKafkaScripts(folder: string): Promise<void> {
  const home = await kafkaHome();
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  await symlink(path.join(home.folder, 'libs'), path.join(folder, 'libs'));
  for (const [name, className] of Object.entries(classes))
    await writeScript(folder, name, ['java', ...javaArguments(home, className).map(quoted)]);
  // It takes the class as its first argument, and more of a class path from the environment.
  const options = javaArguments(home, '').slice(0, -2).map(quoted);
  const classPath = `${quoted(home.classPath)}:"$CLASSPATH"`;
  await writeScript(folder, 'kafka-run-class.sh', ['java', ...options, classPath]);
}

/** The same, with what formats and starts a broker, of either kind. */
export async function writeBrokerScripts(folder: string, kind: Kind): Promise<void> {
  await writeKafkaScripts(folder);
  const home = await kafkaHome();
  const write = kind === 'embedded' ? writeOwn : writeReference;
  await write(folder, home);
}

async function writeReference(folder: string, home: KafkaHome): Promise<void> {
  const format = javaArguments(home, 'kafka.tools.StorageTool').map(quoted);
  await writeScript(folder, 'kafka-storage.sh', ['java', ...format]);
  const [classPath = ''] = javaArguments(home, '').slice(-2, -1);
  const options = javaArguments(home, '', { log: 'broker' }).slice(0, -3).map(quoted);
  await writeScript(folder, 'kafka-run-class.sh', [
    ...['java', ...options],
    ...['$KAFKA_OPTS', '-cp', quoted(classPath)],
  ]);
}

async function writeOwn(folder: string): Promise<void> {
  const program = [process.execPath, path.join(import.meta.dirname, 'ownKafka.ts')].map(quoted);
  for (const name of ['kafka-storage.sh', 'kafka-run-class.sh'])
    await writeScript(folder, name, program);
}

async function writeScript(
  folder: string,
  name: string,
  command: readonly string[],
): Promise<void> {
  const script = `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`;
  await writeFile(path.join(folder, 'bin', name), script, { mode: 0o755 });
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
