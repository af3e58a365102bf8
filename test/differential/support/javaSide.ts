// Java's client on one side: a JVM that runs scenarios and tells what an application saw.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { kafkaHome } from '../../support/kafka/home.ts';
import { javaArguments } from '../../support/kafka/java.ts';
import { spawnOwned, stopProcess } from '../../support/process.ts';
import { javaClasses } from './javaScenarios.ts';
import type { Side } from './sides.ts';

/** What a scenario told, before it is normalised. */
export interface Told {
  readonly scenario: string;
  /** Of what went wrong; there are no steps then. */
  readonly failure?: string;
  readonly steps: readonly { readonly step: string; readonly outcome: unknown }[];
  readonly topics: readonly { readonly name: string; readonly partitions: number }[];
  /** Ids that the scenario knows, and what they are called instead. */
  readonly aliases: Readonly<Record<string, string>>;
}

const mostErrorText = 20_000;

export class JavaSide {
  readonly side: Side;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string, PromiseWithResolvers<Told>>();
  #errors = '';
  methods: readonly string[] = [];

  private constructor(side: Side, child: ChildProcess) {
    this.side = side;
    this.#child = child;
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-mostErrorText);
    });
    if (child.stdout) createInterface(child.stdout).on('line', (line) => this.#hear(line));
    child.once('exit', (code) => this.#end(new Error(`Java ended with ${code}\n${this.#errors}`)));
  }

  static async start(side: Side): Promise<JavaSide> {
    const classes = await javaClasses();
    const java = javaArguments(await kafkaHome(), 'differential.Main', { classPath: [classes] });
    const args = [...java, side.bootstrap, side.saslBootstrap ?? ''];
    return new JavaSide(side, spawnOwned('java', args, { stdio: ['pipe', 'pipe', 'pipe'] }));
  }

  /** Has scenarios run; those that wait let others go on. Names of each start with `<prefix>-<scenario>`. */
  begin(scenarios: readonly string[], prefix = 'java'): void {
    for (const scenario of scenarios) {
      const told = Promise.withResolvers<Told>();
      told.promise.catch(() => undefined); // who asks for it hears of it
      this.#waiting.set(scenario, told);
    }
    const slugOf = (scenario: string) => `${prefix}-${scenario.replace('.', '-')}`;
    const lines = scenarios.map((scenario) => `${scenario} ${slugOf(scenario)}\n`);
    this.#child.stdin?.end(lines.join(''));
  }

  /** What came of a scenario that was begun. */
  async told(scenario: string): Promise<Told> {
    const waiting = this.#waiting.get(scenario);
    if (waiting === undefined) throw new Error(`${scenario} was not begun`);
    const told = await waiting.promise;
    if (told.failure !== undefined) throw new Error(`${scenario} failed\n${told.failure}`);
    return told;
  }

  stop(): Promise<void> {
    return stopProcess(this.#child, 0);
  }

  #hear(line: string): void {
    const text = this.#withoutAddresses(line);
    const heard = JSON.parse(text) as Partial<Told> & { readonly methods?: readonly string[] };
    if (heard.methods) this.methods = heard.methods;
    if (heard.scenario === undefined) return;
    // Ids are keys, too, and parts of messages.
    const named = Object.entries(heard.aliases ?? {}).reduce(
      (rest, [id, alias]) => rest.replaceAll(id, alias),
      text,
    );
    this.#waiting.get(heard.scenario)?.resolve(JSON.parse(named, revive) as Told);
  }

  #withoutAddresses(text: string): string {
    const { bootstrap, saslBootstrap = bootstrap, logFolder } = this.side;
    return text
      .replaceAll(bootstrap, '<address>')
      .replaceAll(saslBootstrap, '<address>')
      .replaceAll(logFolder, '<folder>');
  }

  #end(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}

const revive = (_: string, value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
