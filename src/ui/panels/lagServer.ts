import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { TopicPartition } from '../../client/partitionMap.ts';
import { lagOf } from '../../cluster/lag/lagFigures.ts';
import type { Looked } from '../../cluster/lag/lagReadable.ts';
import type { SampledPosition } from '../../cluster/lag/lagSampler.ts';
import { Throttle } from '../../cluster/throttle.ts';
import { Channel, type Handlers } from '../../shared/channel.ts';
import {
  type Isolation,
  type LagGroup,
  lagHost,
  lagView,
  type ReadablePartition,
} from '../../shared/contracts/lag.ts';
import { sessionOf } from '../sessions.ts';
import { ClusterStatusFeed } from './clusterStatusFeed.ts';
import { lookAtLag, type LookProgress } from './lagLook.ts';
import { lagGroupOf, pointsOf } from './lagMessages.ts';
import { lagKey, type LagSubject } from './lagSubject.ts';
import type { LagLease } from './lagWatches.ts';
import type { OffsetsSubject } from './offsetsSubject.ts';
import type { OpenPanel } from './openPanel.ts';
import type { PanelContext, PanelServer } from './panelHost.ts';
import type { TailSubject } from './tailSubject.ts';
import { problemWords, toUserError } from './words.ts';

/** The panels that this one leads to. */
export interface LagLinks {
  readonly openOffsets: (subject: OffsetsSubject) => void;
  readonly openTail: (subject: TailSubject) => void;
}

export interface LagServerOptions {
  readonly context: PanelContext;
  readonly panel: OpenPanel;
  readonly links: LagLinks;
}

const progressMs = 100;

/** Answers a lag panel's page. Samples while the panel is seen; whoever watches the group has it sampled anyway. */
export class LagServer extends DisposableStore implements PanelServer<LagSubject> {
  readonly key: string;
  readonly #options: LagServerOptions;
  readonly #channel: Channel<typeof lagHost, typeof lagView>;
  readonly #lease: LagLease;
  readonly #status: ClusterStatusFeed;
  #subject: LagSubject;
  #topic: string | undefined;

  constructor(options: LagServerOptions, subject: LagSubject) {
    super();
    this.#options = options;
    this.#subject = subject;
    this.#topic = subject.topic;
    this.key = lagKey(subject);
    const { panel, context } = options;
    this.#lease = this.add(context.lag.acquire(subject));
    this.#channel = this.add(
      new Channel({
        transport: panel.transport,
        onInvalid: panel.onInvalid,
        serves: lagHost,
        handlers: this.#handlers(),
        calls: lagView,
      }),
    );
    this.#status = this.add(new ClusterStatusFeed(context, subject.cluster));
    this.add(this.#status.onDidChange((status) => this.#channel.notify('status', status)));
    this.add(this.#lease.onDidChange(() => this.#tell()));
    this.add(panel.onDidChangeVisible((isVisible) => this.#lease.setActive(isVisible)));
    this.#lease.setActive(panel.isVisible);
  }

  reopen(subject: LagSubject): void {
    this.#subject = subject;
    this.#topic = subject.topic;
    if (subject.topic !== undefined) this.#channel.notify('topic', { topic: subject.topic });
  }

  #handlers(): Handlers<typeof lagHost> {
    const { links } = this.#options;
    return {
      ready: (_params, signal) => this.#loaded(signal),
      load: async (_params, signal) => {
        await this.#lease.sampler.sample(signal);
        return this.#loaded(signal);
      },
      series: ({ sinceMs, isolation, of }) => ({
        total: this.#points(sinceMs, isolation),
        partitions: of.map((each) => ({ ...each, points: this.#points(sinceMs, isolation, each) })),
      }),
      look: async ({ partitions }, signal) => {
        try {
          return { partitions: await this.#look(partitions, signal) };
        } catch (error) {
          return { partitions: [], error: toUserError(error) };
        }
      },
      setWatch: async (watch) => {
        try {
          await this.#lease.setWatch(watch);
          return {};
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
      copy: async ({ text }) => {
        await vscode.env.clipboard.writeText(text);
        vscode.window.setStatusBarMessage(t('Copied the table'), 3000);
        return {};
      },
      bringUp: () => this.#status.bringUp(),
      resetOffsets: () => {
        const { cluster, group } = this.#subject;
        links.openOffsets({ cluster, group });
        return {};
      },
      tail: ({ topic, partition }) => {
        const { cluster, group } = this.#subject;
        links.openTail({ cluster, topic, partitions: [partition], from: `group ${group}` });
        return {};
      },
    };
  }

  async #loaded(signal: AbortSignal): Promise<{
    group?: LagGroup;
    topic?: string;
    error?: ReturnType<typeof toUserError>;
  }> {
    const { sampler } = this.#lease;
    this.#channel.notify('status', this.#status.status);
    if (!sampler.latest && !sampler.problem) await sampler.sample(signal);
    const group = this.#snapshot();
    const topic = this.#topic;
    if (group) return { group, ...(topic !== undefined && { topic }) };
    return { ...(sampler.problem && { error: problemWords(sampler.problem) }) };
  }

  #snapshot(): LagGroup | undefined {
    const { sampler, watch, isAlarmed } = this.#lease;
    const { latest: sample, problem } = sampler;
    const { cluster, group } = this.#subject;
    return sample && lagGroupOf({ cluster, group, sample, problem, watch, isAlarmed });
  }

  #tell(): void {
    if (!this.#options.panel.isVisible) return;
    const group = this.#snapshot();
    if (group) this.#channel.notify('group', group);
  }

  #points(sinceMs: number, isolation: Isolation, of?: TopicPartition): ReturnType<typeof pointsOf> {
    return pointsOf(this.#lease.sampler.history.since(sinceMs, isolation, of));
  }

  async #look(
    wanted: readonly TopicPartition[],
    signal: AbortSignal,
  ): Promise<ReadablePartition[]> {
    const positions = this.#lease.sampler.latest?.positions ?? [];
    const keys = new Set(wanted.map(keyOf));
    const looked = positions.filter((each) => keys.has(keyOf(each))).flatMap(lookedOf);
    let last: LookProgress = { done: 0n, total: 0n };
    const throttle = new Throttle(systemClock, progressMs, () =>
      this.#channel.notify('lookProgress', {
        done: last.done.toString(),
        total: last.total.toString(),
      }),
    );
    const onProgress = (progress: LookProgress): void => {
      last = progress;
      throttle.request();
    };
    const session = sessionOf(this.#options.context.registry, this.#subject.cluster);
    try {
      return await session.use((client) => lookAtLag(client, looked, onProgress, signal), signal);
    } finally {
      throttle.dispose();
    }
  }
}

function keyOf({ topic, partition }: TopicPartition): string {
  return `${partition}:${topic}`;
}

/** Only what is behind has anything to look at. */
function lookedOf(position: SampledPosition): Looked[] {
  const { topic, partition, committed, offsets } = position;
  const isBehind = (lagOf(position, 'read_uncommitted') ?? 0n) > 0n;
  if (!isBehind || committed === null || 'problem' in offsets) return [];
  return [{ topic, partition, committed, offsets: offsets.value }];
}
