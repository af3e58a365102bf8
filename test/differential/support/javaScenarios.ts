// The scenarios under `java/`: what they are called, and the classes that run them.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installOnce } from '../../../.ci/installOnce.ts';
import { KAFKA_VERSION, kafkaHome } from '../../support/kafka/home.ts';
import { run } from '../../support/process.ts';
import type { Kind } from './sides.ts';

const folder = path.join(import.meta.dirname, '..', 'java');

export interface JavaScenario {
  /** As Java knows it: `Topics.makes`. */
  readonly name: string;
  readonly title: string;
}

export interface JavaArea {
  readonly area: string;
  /** As titles carry them: `[A3]`. */
  readonly rows: string;
  /** The sides that they need. */
  readonly kind: Kind;
  readonly scenarios: readonly JavaScenario[];
}

const areaPattern = /@Area\(title = "([^"]+)", rows = "([^"]+)"(, secured = true)?/;
const scenarioPattern = /@Scenario\("([^"]+)"\)\s+static void (\w+)/g;

/** From the sources, as tests need titles before anything is run. */
export function javaAreas(): JavaArea[] {
  return globSync('*.java', { cwd: folder })
    .sort()
    .map((file) => {
      const source = readFileSync(path.join(folder, file), 'utf8');
      const [, area, rows, secured] = areaPattern.exec(source) ?? [];
      if (area === undefined || rows === undefined) throw new Error(`${file} has no @Area`);
      const scenarios = [...source.matchAll(scenarioPattern)].map(
        ([, title = '', method = '']) => ({
          name: `${path.basename(file, '.java')}.${method}`,
          title,
        }),
      );
      return { area, rows, kind: secured === undefined ? 'open' : 'secured', scenarios };
    });
}

/** The folder of their classes, compiled when the sources are new. */
export async function javaClasses(): Promise<string> {
  const sources = globSync(['*.java', 'support/*.java'], { cwd: folder })
    .sort()
    .map((file) => path.join(folder, file));
  const hash = createHash('sha256').update(KAFKA_VERSION);
  for (const source of sources) hash.update(readFileSync(source));
  const { classPath } = await kafkaHome();
  return installOnce(`java-scenarios-${hash.digest('hex').slice(0, 16)}`, async (draft) => {
    const compiler = ['-m', 'jdk.compiler/com.sun.tools.javac.Main'];
    const args = [...compiler, '-d', draft, '-cp', classPath, ...sources];
    const { code, stdout, stderr } = await run('java', args, { timeoutMs: 120_000 });
    if (code !== 0) throw new Error(`the scenarios do not compile\n${stdout}${stderr}`);
  });
}
