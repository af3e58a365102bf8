// Kafka Streams, fetched once from Maven Central: an application that needs transactions to be right.
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installOnce } from '../../../.ci/installOnce.ts';
import { run } from '../process.ts';
import { KAFKA_VERSION } from './home.ts';

/** The jars of Kafka Streams with all they need, beside Kafka's own. Safe when several processes call it at once. */
export async function streamsJars(): Promise<string[]> {
  const folder = await installOnce(`kafka-streams-${KAFKA_VERSION}`, fetchStreams);
  const libs = path.join(folder, 'libs');
  return (await readdir(libs)).sort().map((jar) => path.join(libs, jar));
}

async function fetchStreams(folder: string): Promise<void> {
  console.error(`Fetching Kafka Streams ${KAFKA_VERSION} ...`);
  await writeFile(path.join(folder, 'pom.xml'), POM);
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs'];
  const { code, stdout } = await run('mvn', ['-B', '-q', ...goal], {
    cwd: folder,
    timeoutMs: 600_000,
  });
  if (code !== 0) throw new Error(`mvn could not fetch Kafka Streams\n${stdout}`);
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>kafka-workbench</groupId><artifactId>kafka-streams-libs</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-streams</artifactId><version>${KAFKA_VERSION}</version></dependency>
  </dependencies>
</project>
`;
