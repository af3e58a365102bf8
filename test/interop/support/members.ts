// Members of a group, in a process of a client library's, that do what they are told.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopProcess } from '../../support/process.ts';

interface Fact {
  readonly name: string;
  readonly value?: string;
  readonly error?: string;
  /** Null: it is closed. */
  readonly partitions?: readonly number[] | null;
}

const patienceMs = 60_000;

export class Members {
  readonly #child: ChildProcess;
  readonly #errors: Buffer[] = [];
  readonly #failures: string[] = [];
  /** What each open member has. */
  readonly partitions = new Map<string, readonly number[]>();
  /** What was read, by whomever. */
  readonly values: string[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.on('data', (chunk: Buffer) => this.#errors.push(chunk));
    if (!child.stdout) throw new Error('its output is not to be had');
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#take(JSON.parse(line) as Fact);
    });
  }

  add(name: string, protocol: 'classic' | 'consumer' = 'consumer'): void {
    this.#tell(`add ${name} ${protocol}`);
  }

  close(name: string): void {
    this.#tell(`close ${name}`);
  }

  /** Closes all and waits for the process's end. */
  async end(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    if (this.#child.exitCode === null) await gone;
  }

  /** No member says goodbye. */
  async kill(): Promise<void> {
    await stopProcess(this.#child, 0);
    this.partitions.clear();
  }

  #tell(command: string): void {
    this.#child.stdin?.write(`${command}\n`);
  }

  #take({ name, value, error, partitions }: Fact): void {
    if (value !== undefined) this.values.push(value);
    if (error !== undefined) this.#failures.push(`${name}: ${error}`);
    if (partitions === null) this.partitions.delete(name);
    else if (partitions !== undefined) this.partitions.set(name, partitions);
  }

  problems(): string {
    return `${this.#failures.join('\n')}\n${Buffer.concat(this.#errors).toString()}`;
  }
}

/** Waits until members have this many partitions each, none two of them; in order of size. */
export async function untilShared(
  members: readonly Members[],
  sizes: readonly number[],
): Promise<void> {
  await until(
    () => {
      const all = members.flatMap(({ partitions }) => [...partitions.values()]);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      return (
        all
          .map(({ length }) => length)
          .sort((a, b) => a - b)
          .join() === sizes.join() && new Set(all.flat()).size === total
      );
    },
    () => `not shared as ${sizes.join()}: ${describe(members)}`,
  );
}

export async function until(isSo: () => boolean, problem: () => string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(problem());
    await sleep(20);
  }
}

function describe(members: readonly Members[]): string {
  const present = members.map(({ partitions }) => JSON.stringify([...partitions]));
  return `${present.join(' ')}\n${members.map((each) => each.problems()).join('\n')}`;
}
