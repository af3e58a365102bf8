// Apache Kafka itself, fetched once from Maven Central: the specification that tests compare with.
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installOnce } from '../../../.ci/installOnce.ts';
import { run } from '../process.ts';

/** The latest of each line that tests run: what we behave as, and the oldest that people connect to. */
const releases = { '4.4': '4.4.0', '3.9': '3.9.2' } as const;
export type KafkaVersion = keyof typeof releases;

export const KAFKA_VERSION = releases['4.4'];

export interface KafkaHome {
  readonly folder: string;
  /** Every jar, in one fixed order: an AppCDS archive is only used with the class path it was made with. */
  readonly classPath: string;
  /** JVM options that have it log as a `broker` (INFO, to standard output) or a `tool` (WARN, to standard error). */
  logOptions(kind: LogKind): string[];
}

export type LogKind = 'broker' | 'tool';

const homes = new Map<KafkaVersion, Promise<KafkaHome>>();

/** Apache Kafka's jars with all they need, fetched on first use. Safe when several processes call it at once. */
export function kafkaHome(version: KafkaVersion = '4.4'): Promise<KafkaHome> {
  let home = homes.get(version);
  if (home === undefined) homes.set(version, (home = openHome(version)));
  return home;
}

async function openHome(version: KafkaVersion): Promise<KafkaHome> {
  const folder = await installOnce(`kafka-${releases[version]}`, (draft) =>
    fetchKafka(version, draft),
  );
  const libs = path.join(folder, 'libs');
  const jars = (await readdir(libs)).sort().map((jar) => path.join(libs, jar));
  const { property } = logging[version];
  return {
    folder,
    classPath: jars.join(path.delimiter),
    logOptions: (kind) => [`-D${property}${path.join(folder, `${kind}.properties`)}`],
  };
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

async function fetchKafka(version: KafkaVersion, folder: string): Promise<void> {
  const release = releases[version];
  console.error(`Fetching Apache Kafka ${release} ...`);
  const { config } = logging[version];
  await writeFile(path.join(folder, 'pom.xml'), pom(version));
  await writeFile(path.join(folder, 'broker.properties'), config('info', 'SYSTEM_OUT'));
  await writeFile(path.join(folder, 'tool.properties'), config('warn', 'SYSTEM_ERR'));
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs'];
  const { code, stdout } = await run('mvn', ['-B', '-q', ...goal], {
    cwd: folder,
    timeoutMs: 600_000,
  });
  if (code !== 0) throw new Error(`mvn could not fetch Apache Kafka ${release}\n${stdout}`);
}

interface Logging {
  /** Without a binding for slf4j the broker would log nothing; Kafka 3.9 brings its own. */
  readonly binding: readonly (readonly [group: string, artifact: string, version: string])[];
  readonly property: string;
  readonly config: (level: string, target: string) => string;
}

const logging: Readonly<Record<KafkaVersion, Logging>> = {
  '4.4': {
    binding: [['org.apache.logging.log4j', 'log4j-slf4j-impl', '2.25.4']],
    property: 'log4j2.configurationFile=',
    config: log4j2,
  },
  '3.9': { binding: [], property: 'log4j.configuration=file:', config: log4j },
};

function pom(version: KafkaVersion): string {
  const dependencies = [
    ['org.apache.kafka', 'kafka_2.13', releases[version]],
    ['org.apache.kafka', 'kafka-tools', releases[version]],
    ...logging[version].binding,
  ].map(
    ([group = '', artifact = '', number = '']) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${number}</version></dependency>`,
  );
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>kafka-workbench</groupId><artifactId>kafka-libs</artifactId><version>1</version>
  <dependencies>${dependencies.join('\n    ')}</dependencies>
</project>
`;
}

function log4j2(level: string, target: string): string {
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

function log4j(level: string, target: string): string {
  return `log4j.rootLogger=${level}, console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=${target === 'SYSTEM_OUT' ? 'System.out' : 'System.err'}
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=[%d] %p %m (%c)%n
`;
}
