// Apache Kafka itself, fetched once from Maven Central: the specification that tests compare with.
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installOnce } from '../../../.ci/installOnce.ts';
import { run } from '../process.ts';

export const KAFKA_VERSION = '4.4.0';

// log4j2 is Kafka's own logging; without a binding for slf4j the broker would log nothing.
const LOG4J_VERSION = '2.25.4';

export interface KafkaHome {
  readonly folder: string;
  /** Every jar, in one fixed order: an AppCDS archive is only used with the class path it was made with. */
  readonly classPath: string;
}

let home: Promise<KafkaHome> | undefined;

/** Apache Kafka's jars with all they need, fetched on first use. Safe when several processes call it at once. */
export function kafkaHome(): Promise<KafkaHome> {
  home ??= installOnce(`kafka-${KAFKA_VERSION}`, fetchKafka).then(async (folder) => {
    const libs = path.join(folder, 'libs');
    const jars = (await readdir(libs)).sort().map((jar) => path.join(libs, jar));
    return { folder, classPath: jars.join(path.delimiter) };
  });
  return home;
}

/** Absolute path of one of Kafka's jars, named without its version: `kafka-clients`, `kafka-server-common`. */
export async function kafkaJar(name: string): Promise<string> {
  const { classPath } = await kafkaHome();
  const jar = classPath
    .split(path.delimiter)
    .find((file) => path.basename(file) === `${name}-${KAFKA_VERSION}.jar`);
  if (jar === undefined) throw new Error(`Apache Kafka ${KAFKA_VERSION} has no jar ${name}`);
  return jar;
}

async function fetchKafka(folder: string): Promise<void> {
  console.error(`Fetching Apache Kafka ${KAFKA_VERSION} ...`);
  await writeFile(path.join(folder, 'pom.xml'), pom());
  await writeFile(path.join(folder, 'broker.properties'), log4j('info', 'SYSTEM_OUT'));
  await writeFile(path.join(folder, 'tool.properties'), log4j('warn', 'SYSTEM_ERR'));
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs'];
  const { code, stdout } = await run('mvn', ['-B', '-q', ...goal], {
    cwd: folder,
    timeoutMs: 600_000,
  });
  if (code !== 0) throw new Error(`mvn could not fetch Apache Kafka ${KAFKA_VERSION}\n${stdout}`);
}

function pom(): string {
  const dependencies = [
    ['org.apache.kafka', 'kafka_2.13', KAFKA_VERSION],
    ['org.apache.kafka', 'kafka-tools', KAFKA_VERSION],
    ['org.apache.logging.log4j', 'log4j-slf4j-impl', LOG4J_VERSION],
  ].map(
    ([group, artifact, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
  );
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>kafka-workbench</groupId><artifactId>kafka-libs</artifactId><version>1</version>
  <dependencies>${dependencies.join('\n    ')}</dependencies>
</project>
`;
}

function log4j(level: string, target: string): string {
  return `rootLogger.level=${level}
rootLogger.appenderRefs=console
rootLogger.appenderRef.console.ref=console
appender.console.type=Console
appender.console.name=console
appender.console.target=${target}
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=[%d] %p %m (%c)%n
`;
}
