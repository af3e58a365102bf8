import * as v from 'valibot';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import { type AlertChange, LagAlert, type LagNow } from '../../cluster/lagAlert.ts';
import { totalsOf } from '../../cluster/lagFigures.ts';
import { LagSampler, type LagSamplerOptions } from '../../cluster/lagSampler.ts';
import { type LagWatch, lagWatch } from '../../shared/contracts/lag.ts';
import { sessionOf } from '../sessions.ts';
import { setting } from '../settings.ts';
import { grouped } from '../text.ts';
import { LiveRefresh } from '../trees/liveRefresh.ts';
import { lagKey, type LagSubject } from './lagSubject.ts';

const storageKey = 'kafkaWorkbench.lagWatches';
const storedWatch = v.object({ cluster: v.string(), group: v.string(), ...lagWatch.entries });
/** The least recently set are forgotten; a watched one is not. */
const mostRemembered = 200;

/** A panel's hold on a group that is sampled. */
export interface LagLease extends Disposable {
  readonly sampler: LagSampler;
  /** There is a new sample, a problem, or another watch. */
  readonly onDidChange: Event<void>;
  readonly watch: LagWatch;
  readonly isAlarmed: boolean;
  /** Whether this holder looks at it now. */
  setActive(isActive: boolean): void;
  setWatch(watch: LagWatch): Promise<void>;
}

export interface LagWatchesOptions {
  readonly registry: ClusterRegistry;
  /** Remembers what each group is watched for. */
  readonly memento: Pick<vscode.Memento, 'get' | 'update'>;
  readonly clockAheadMs: (clusterId: string) => number;
  /** How far clients of a cluster were sent the partitions of topics; undefined: it cannot tell. */
  readonly servedOn: (clusterId: string) => LagSamplerOptions['served'];
  readonly show: (subject: LagSubject) => void;
}

/** A group that is sampled: by panels that show it, and by itself where it is watched. */
interface Sampled {
  readonly subject: LagSubject;
  readonly sampler: LagSampler;
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
    const [records, seconds] = [setting('lag.alertRecords'), setting('lag.alertSeconds')];
    return {
      isWatched: false,
      records: records >= 1 ? String(Math.trunc(records)) : null,
      seconds: seconds >= 1 ? Math.trunc(seconds) : null,
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
    const { registry, clockAheadMs, servedOn } = this.#options;
    const { cluster, group } = subject;
    const served = servedOn(cluster.id);
    const sampler = new LagSampler({
      session: () => sessionOf(registry, cluster),
      group,
      clockAheadMs: () => clockAheadMs(cluster.id),
      ...(served && { served }),
    });
    const live = new LiveRefresh({
      clock: systemClock,
      intervalMs: () => Math.max(0.5, setting('lag.sampleSeconds')) * 1000,
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
    this.#sampled.delete(lagKey(sampled.subject));
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

  #judge(sampled: Sampled): void {
    const { isWatched, records, seconds } = this.watchOf(sampled.subject);
    const now = lagNow(sampled.sampler);
    if (!now || sampled.sampler.problem) return;
    const change = sampled.alert.update(now, {
      ...(isWatched && records !== null && { records: BigInt(records) }),
      ...(isWatched && seconds !== null && { seconds }),
    });
    if (!change) return;
    this.#changeEmitter.fire();
    void this.#notify(sampled, change, now);
  }

  async #notify({ subject }: Sampled, change: AlertChange, now: LagNow): Promise<void> {
    if (change.kind === 'cleared') return;
    const { cluster, group } = subject;
    const watch = this.watchOf(subject);
    const words =
      change.reason === 'records'
        ? t(
            '{0} on {1} is {2} offsets behind. You asked to be told at {3}.',
            group,
            cluster.name,
            grouped(now.records ?? 0n),
            grouped(BigInt(watch.records ?? 0)),
          )
        : t(
            '{0} on {1} is {2} seconds behind. You asked to be told at {3}.',
            group,
            cluster.name,
            grouped(Math.round(now.seconds ?? 0)),
            grouped(watch.seconds ?? 0),
          );
    const [show, stop] = [t('Show lag'), t('Stop watching')];
    const answer = await vscode.window.showWarningMessage(words, show, stop);
    if (answer === show) this.#options.show(subject);
    if (answer === stop) await this.setWatch(subject, { ...watch, isWatched: false });
  }
}

/** Of all partitions: how many offsets in all, and the longest time that is known. */
function lagNow({ latest }: LagSampler): LagNow | undefined {
  if (!latest) return undefined;
  const { total } = totalsOf(latest.positions, 'read_uncommitted');
  const times = latest.positions.flatMap(({ time }) =>
    time.kind === 'known' ? [time.lagMs / 1000] : time.kind === 'none' ? [0] : [],
  );
  return { records: total, seconds: times.length > 0 ? Math.max(...times) : null };
}
