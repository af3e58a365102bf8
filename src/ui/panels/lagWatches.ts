import * as v from 'valibot';
import type * as vscode from 'vscode';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import { LagAlert, type LagNow, type LagReason } from '../../cluster/lag/lagAlert.ts';
import { totalsOf } from '../../cluster/lag/lagFigures.ts';
import type { LagSampler } from '../../cluster/lag/lagSampler.ts';
import { type LagWatch, lagWatch } from '../../shared/contracts/lag.ts';
import { LiveRefresh } from '../trees/liveRefresh.ts';
import { lagKey, type LagSubject } from './lagSubject.ts';

const storageKey = 'kafkaWorkbench.lagWatches';
const storedWatch = v.object({ cluster: v.string(), group: v.string(), ...lagWatch.entries });
/** The least recently set are forgotten; a watched one is not. */
const mostRemembered = 200;
/** A setting may be any number: from more than this, decimal digits or a message to the page could not be made. */
const mostRecords = Number.MAX_SAFE_INTEGER;
const mostSeconds = 1e9;

/** A panel's hold on a group that is sampled. */
export interface LagLease extends Disposable {
  readonly sampler: GroupSampler;
  /** There is a new sample, a problem, or another watch. */
  readonly onDidChange: Event<void>;
  readonly watch: LagWatch;
  readonly isAlarmed: boolean;
  /** Whether this holder looks at it now. */
  setActive(isActive: boolean): void;
  setWatch(watch: LagWatch): Promise<void>;
}

/** What samples one group. */
export type GroupSampler = Pick<LagSampler, keyof LagSampler>;

export interface LagWatchesOptions {
  readonly registry: Pick<ClusterRegistry, 'profile' | 'onDidChange'>;
  /** Remembers what each group is watched for. */
  readonly memento: Pick<vscode.Memento, 'get' | 'update'>;
  readonly samplerOf: (subject: LagSubject) => GroupSampler;
  readonly settings: () => LagSettings;
  /** Tells that a watched group has fallen behind. */
  readonly tell: (raised: LagRaised) => void;
  readonly clock?: Clock;
}

interface LagSettings {
  readonly sampleSeconds: number;
  /** For groups of which nothing else was said; 0: never. */
  readonly alertRecords: number;
  readonly alertSeconds: number;
}

/** A watched group that has reached one of its thresholds. */
export interface LagRaised {
  readonly subject: LagSubject;
  readonly reason: LagReason;
  readonly now: LagNow;
  readonly watch: LagWatch;
}

/** A group that is sampled: by panels that show it, and by itself where it is watched. */
interface Sampled {
  readonly subject: LagSubject;
  readonly sampler: GroupSampler;
  readonly live: LiveRefresh;
  readonly holders: Map<LagLease, boolean>;
  readonly alert: LagAlert;
  readonly change: Emitter<void>;
}

/** The groups of this window whose lag is sampled, each once, however many look at it. */
export class LagWatches extends DisposableStore {
  readonly #options: LagWatchesOptions;
  readonly #sampled = new Map<string, Sampled>();
  readonly #changeEmitter = this.add(new Emitter<void>());
  /** Another group is watched, or one less, or one of them is behind or no longer. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(options: LagWatchesOptions) {
    super();
    this.#options = options;
    this.add(options.registry.onDidChange(() => this.#dropRemoved()));
  }

  /** Goes on with what was watched before a reload. */
  resume(): void {
    for (const { cluster, group, isWatched } of this.#stored()) {
      const profile = this.#options.registry.profile(cluster);
      if (profile && isWatched) this.#follow(this.#sample({ cluster: profile, group }));
    }
  }

  get watched(): readonly { readonly subject: LagSubject; readonly isAlarmed: boolean }[] {
    return [...this.#sampled.values()]
      .filter(({ subject }) => this.watchOf(subject).isWatched)
      .map(({ subject, alert }) => ({ subject, isAlarmed: alert.isRaised }));
  }

  /** What a group is watched for: as it was set for it, or as the settings have it for all. */
  watchOf({ cluster, group }: LagSubject): LagWatch {
    const stored = this.#stored().find(
      (each) => each.cluster === cluster.id && each.group === group,
    );
    if (stored) {
      const { isWatched, records, seconds } = stored;
      return { isWatched, records, seconds };
    }
    const { alertRecords: records, alertSeconds: seconds } = this.#options.settings();
    return {
      isWatched: false,
      records: records >= 1 ? String(Math.trunc(Math.min(records, mostRecords))) : null,
      seconds: seconds >= 1 ? Math.trunc(Math.min(seconds, mostSeconds)) : null,
    };
  }

  async setWatch(subject: LagSubject, watch: LagWatch): Promise<void> {
    const { cluster, group } = subject;
    const others = this.#stored().filter(
      (each) => each.cluster !== cluster.id || each.group !== group,
    );
    const all = [...others, { cluster: cluster.id, group, ...watch }];
    const idle = all.filter(({ isWatched }) => !isWatched);
    const forgotten = new Set(idle.slice(0, Math.max(0, idle.length - mostRemembered)));
    await this.#options.memento.update(
      storageKey,
      all.filter((each) => !forgotten.has(each)),
    );
    const sampled = this.#sample(subject);
    this.#judge(sampled);
    this.#follow(sampled);
    sampled.change.fire();
  }

  /** Holds on to a group, so that it can be sampled. */
  acquire(subject: LagSubject): LagLease {
    const sampled = this.#sample(subject);
    const watchOf = (): LagWatch => this.watchOf(subject);
    const lease: LagLease = {
      sampler: sampled.sampler,
      onDidChange: sampled.change.event,
      get watch() {
        return watchOf();
      },
      get isAlarmed() {
        return sampled.alert.isRaised;
      },
      setActive: (isActive) => {
        if (!sampled.holders.has(lease)) return;
        sampled.holders.set(lease, isActive);
        this.#follow(sampled);
      },
      setWatch: (watch) => this.setWatch(subject, watch),
      dispose: () => {
        sampled.holders.delete(lease);
        this.#follow(sampled);
      },
    };
    sampled.holders.set(lease, false);
    return lease;
  }

  override dispose(): void {
    for (const sampled of [...this.#sampled.values()]) this.#drop(sampled);
    super.dispose();
  }

  #stored(): v.InferOutput<typeof storedWatch>[] {
    const stored = this.#options.memento.get<unknown>(storageKey, []);
    return Array.isArray(stored) ? stored.filter((entry) => v.is(storedWatch, entry)) : [];
  }

  #sample(subject: LagSubject): Sampled {
    const key = lagKey(subject);
    const known = this.#sampled.get(key);
    if (known) return known;
    const { samplerOf, settings, clock = systemClock } = this.#options;
    const sampler = samplerOf(subject);
    const live = new LiveRefresh({
      clock,
      intervalMs: () => Math.max(0.5, settings().sampleSeconds) * 1000,
      refresh: () => sampler.sampleAgain(),
    });
    const change = new Emitter<void>();
    const state = { holders: new Map<LagLease, boolean>(), alert: new LagAlert() };
    const sampled: Sampled = { subject, sampler, live, change, ...state };
    sampler.onDidSample(() => {
      this.#judge(sampled);
      change.fire();
    });
    this.#sampled.set(key, sampled);
    return sampled;
  }

  /** Samples while it is watched or a panel shows it, and forgets it when nobody holds it. */
  #follow(sampled: Sampled): void {
    const { isWatched } = this.watchOf(sampled.subject);
    sampled.live.setVisible(isWatched || [...sampled.holders.values()].some(Boolean));
    if (!isWatched && sampled.holders.size === 0) this.#drop(sampled);
    this.#changeEmitter.fire();
  }

  #drop(sampled: Sampled): void {
    const key = lagKey(sampled.subject);
    if (this.#sampled.get(key) === sampled) this.#sampled.delete(key);
    sampled.live.dispose();
    sampled.sampler.dispose();
    sampled.change.dispose();
  }

  #dropRemoved(): void {
    for (const sampled of [...this.#sampled.values()]) {
      if (!this.#options.registry.profile(sampled.subject.cluster.id)) this.#drop(sampled);
    }
    this.#changeEmitter.fire();
  }

  #judge({ subject, sampler, alert }: Sampled): void {
    const watch = this.watchOf(subject);
    const { isWatched, records, seconds } = watch;
    const isStale = sampler.problem !== undefined || !sampler.latest;
    if (isWatched && isStale) return;
    const now = lagNow(sampler);
    const change = alert.update(now, {
      ...(isWatched && records !== null && { records: BigInt(records) }),
      ...(isWatched && seconds !== null && { seconds }),
    });
    if (!change) return;
    this.#changeEmitter.fire();
    if (change.kind !== 'raised') return;
    this.#options.tell({ subject, reason: change.reason, now, watch });
  }
}

/** Of all partitions: how many offsets in all, and the longest time that is known. A group that is gone has no lag. */
function lagNow({ latest }: GroupSampler): LagNow {
  if (!latest) return { records: null, seconds: null };
  const { details, positions } = latest;
  if (details.state === 'Dead' && positions.length === 0) return { records: 0n, seconds: 0 };
  let seconds: number | null = null;
  for (const { time } of positions) {
    if (time.kind === 'unknown') continue;
    seconds = Math.max(seconds ?? 0, time.kind === 'known' ? time.lagMs / 1000 : 0);
  }
  return { records: totalsOf(positions, 'read_uncommitted').total, seconds };
}
