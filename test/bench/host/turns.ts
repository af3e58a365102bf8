// What the turns of an extension host's event loop take, and of whom.
import { Session, type Profiler } from 'node:inspector';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TurnFigures {
  readonly longestTurnMs: number;
  /** Of the processor: on a busy machine, the part of it that is the host's. */
  readonly longestTurnCpuMs: number;
  /** Samples of a profile, as milliseconds. */
  readonly oursMs: number;
  readonly editorsMs: number;
  readonly garbageMs: number;
}

const resolutionMs = 1;
const samplingUs = 500;

/** Of this thread, so that what other processes take of a busy machine counts for nothing. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Measures until `end`: the most that one turn takes of time and of the processor, and whose code it is. */
export class Turns {
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #session = new Session();
  readonly #what: string;
  #cpuMs = 0;
  #longestCpuMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(what: string) {
    this.#what = what;
    this.#session.connect();
  }

  async start(): Promise<void> {
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.setSamplingInterval', { interval: samplingUs });
    this.#session.post('Profiler.start');
    // What starting the profile takes is not measured, and the first turn is one that has begun before.
    await sleep(100);
    this.#delay.enable();
    this.#cpuMs = cpuMs();
    this.#timer = setInterval(() => {
      const now = cpuMs();
      this.#longestCpuMs = Math.max(this.#longestCpuMs, now - this.#cpuMs);
      this.#cpuMs = now;
    }, resolutionMs);
    await sleep(20);
  }

  end(): TurnFigures {
    clearInterval(this.#timer);
    this.#delay.disable();
    let profile: Profiler.Profile | undefined;
    this.#session.post('Profiler.stop', (_error, result) => (profile = result.profile));
    this.#session.disconnect();
    if (!profile) throw new Error('no profile');
    const folder = process.env['KAFKA_WORKBENCH_BENCH_PROFILES'];
    const name = `${this.#what.replace(/\W+/g, '-')}.cpuprofile`;
    if (folder) writeFileSync(path.join(folder, name), JSON.stringify(profile));
    return {
      longestTurnMs: Math.max(0, this.#delay.max / 1e6 - resolutionMs),
      longestTurnCpuMs: this.#longestCpuMs,
      ...shares(profile),
    };
  }
}

type Owner = 'oursMs' | 'editorsMs' | 'garbageMs';

/** Built-in functions are whose code calls them. */
function shares({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const owners = new Map<number, Owner | undefined>();
  const parents = new Map(nodes.flatMap(({ id, children }) => children?.map((c) => [c, id]) ?? []));
  // Parents come before their children.
  for (const { id, callFrame } of nodes) {
    owners.set(id, ownerOf(callFrame) ?? owners.get(parents.get(id) ?? -1));
  }
  const sums = { oursMs: 0, editorsMs: 0, garbageMs: 0 };
  samples.forEach((id, i) => {
    const owner = owners.get(id);
    if (owner) sums[owner] += (timeDeltas[i] ?? 0) / 1000;
  });
  return sums;
}

function ownerOf({ url, functionName }: Profiler.Profile['nodes'][number]['callFrame']) {
  if (functionName === '(garbage collector)') return 'garbageMs';
  if (url.includes('kafka-workbench') && url.includes('/dist/')) return 'oursMs';
  return url.includes('/lib/vscode/') ? 'editorsMs' : undefined;
}
