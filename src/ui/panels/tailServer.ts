import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Tails } from '../../cluster/tail/tails.ts';
import { TailSlot } from '../../cluster/tail/tailSlot.ts';
import { Channel, type Handlers } from '../../shared/channel.ts';
import { tailHost, type TailSetup, tailView } from '../../shared/contracts/tail.ts';
import { noProgress, type TailProgress } from '../../shared/contracts/tailProgress.ts';
import { defaultTailScope } from '../../shared/contracts/tailQuery.ts';
import { sessionOf } from '../sessions.ts';
import { ClusterStatusFeed } from './clusterStatusFeed.ts';
import { decoderLabels } from './decoderChoices.ts';
import type { OpenPanel } from './openPanel.ts';
import type { PanelContext, PanelServer } from './panelHost.ts';
import type { OpenProduce } from './produceSubject.ts';
import type { RecordComparison } from './recordComparison.ts';
import { GroupNames } from './tailGroups.ts';
import { readHandlers } from './tailReading.ts';
import { shareHandlers } from './tailSharing.ts';
import { reopened, tailKey, type TailSubject, tailTitle } from './tailSubject.ts';
import { viewHandlers } from './tailViewing.ts';
import { writeHandlers } from './tailWriting.ts';
import { clusterRefOf, toUserError } from './words.ts';

export interface TailServerContext {
  readonly comparison: RecordComparison;
  readonly context: PanelContext;
  readonly panel: OpenPanel;
  readonly tails: Tails;
  readonly openProduce: OpenProduce;
}

type Serves = Handlers<typeof tailHost>;

interface Partitions {
  readonly count: number;
  /** Those looked at, ascending. */
  readonly chosen: readonly number[];
}

/** Answers a tail panel's page from a tail in the worker, which goes on while the page is hidden. */
export class TailServer implements PanelServer<TailSubject> {
  readonly #context: PanelContext;
  readonly #panel: OpenPanel;
  readonly #slot: TailSlot;
  readonly #comparison: RecordComparison;
  readonly #openProduce: OpenProduce;
  readonly #disposables = new DisposableStore();
  readonly #channel: Channel<typeof tailHost, typeof tailView>;
  readonly #status: ClusterStatusFeed;
  #subject: TailSubject;
  #partitions: Partitions = { count: 0, chosen: [] };
  #paused = false;
  readonly #groups = new GroupNames({
    clock: systemClock,
    list: () => sessionOf(this.#context.registry, this.#subject.cluster).groups(),
  });

  constructor(of: TailServerContext, subject: TailSubject) {
    const { context, panel, tails, openProduce, comparison } = of;
    this.#comparison = comparison;
    this.#context = context;
    this.#panel = panel;
    this.#subject = subject;
    this.#openProduce = openProduce;
    this.#slot = this.#disposables.add(
      new TailSlot(tails, (progress) => this.#onProgress(progress)),
    );
    this.#channel = this.#disposables.add(
      new Channel({
        transport: panel.transport,
        onInvalid: panel.onInvalid,
        serves: tailHost,
        handlers: this.#handlers(),
        calls: tailView,
      }),
    );
    this.#status = this.#disposables.add(new ClusterStatusFeed(context, subject.cluster));
    this.#disposables.add(this.#status.onDidChange(() => this.#notifyStatus()));
  }

  get key(): string {
    const { cluster, topic, partitions } = this.#subject;
    const { count, chosen } = this.#partitions;
    if (count === 0) return tailKey(cluster, topic, partitions);
    return tailKey(cluster, topic, chosen.length === count ? undefined : chosen);
  }

  /** While the cluster is down starting anew would not help. */
  get isOver(): boolean {
    return this.#slot.tail?.progress.state === 'failed' && this.#status.status.state === 'up';
  }

  reopen(subject: TailSubject): void {
    this.#begin(() => reopened(this.#subject, subject))
      .then(() => this.#channel.notify('setup', this.#setup()))
      .catch((error: unknown) => this.#tellFailure(error));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #handlers(): Handlers<typeof tailHost> {
    return {
      ...this.#tailHandlers(),
      ...viewHandlers({
        slot: this.#slot,
        decoders: this.#context.decoders,
        subject: () => this.#subject,
        onFilter: (view) => (this.#subject = { ...this.#subject, ...view }),
      }),
      ...readHandlers({
        tail: () => this.#slot.tail,
        subject: () => this.#subject,
        changes: this.#context.changes,
      }),
      ...shareHandlers({
        comparison: this.#comparison,
        extensionId: this.#context.extensionId,
        tail: () => this.#slot.tail,
        subject: () => this.#shownSubject(),
      }),
      ...writeHandlers({
        registry: this.#context.registry,
        openProduce: this.#openProduce,
        tail: () => this.#slot.tail,
        subject: () => this.#subject,
        largestPartition: () => this.#partitions.chosen.at(-1) ?? 0,
      }),
    };
  }

  #tailHandlers(): Pick<Serves, 'ready' | 'bringUp' | 'seek' | 'groups' | 'setPaused'> {
    return {
      groups: async ({ like }) => ({ groups: await this.#groups.like(like) }),
      ready: async (_params, signal) => {
        // A page that was hidden comes back to the tail that it left, with its rows and its pause.
        if (!this.#slot.tail) {
          await this.#learnPartitions(signal);
          this.#begin(() => this.#subject).catch((error: unknown) => this.#tellFailure(error));
        }
        queueMicrotask(() => {
          this.#notifyStatus();
          this.#notifyProgress();
        });
        return this.#setup();
      },
      bringUp: () => this.#status.bringUp(),
      seek: async ({ from, partitions, scope }, signal) => {
        const sorted = partitions.toSorted((a, b) => a - b);
        // There may be more of them by now.
        const isAll = sorted.length === this.#partitions.count;
        const sought = (): TailSubject => {
          const { cluster, topic, filter = '', within } = this.#subject;
          const of = { cluster, topic, ...(!isAll && { partitions: sorted }) };
          return { ...of, from, scope, filter, within };
        };
        try {
          await this.#begin(sought, signal);
          return {};
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
      setPaused: async ({ paused }) => {
        await this.#slot.change(async () => {
          await this.#slot.tail?.setPaused(paused);
          this.#paused = paused;
        });
        return {};
      },
    };
  }

  /** What is known before the tail has begun, so that the page can be drawn. */
  async #learnPartitions(signal: AbortSignal): Promise<void> {
    try {
      this.#show(this.#subject, await this.#partitionsOf(this.#subject, signal));
    } catch {
      // Beginning the tail asks again, and says what is wrong.
    }
  }

  async #partitionsOf(
    { cluster, topic, partitions }: TailSubject,
    signal?: AbortSignal,
  ): Promise<Partitions> {
    const rows = await sessionOf(this.#context.registry, cluster).partitions(topic, signal);
    const known = rows.map(({ partition }) => partition).sort((a, b) => a - b);
    const asked = new Set(partitions);
    const wanted = known.filter((partition) => asked.has(partition));
    return { count: known.length, chosen: wanted.length > 0 ? wanted : known };
  }

  #show(subject: TailSubject, partitions: Partitions): void {
    this.#subject = subject;
    this.#partitions = partitions;
    const shown = { ...subject, partitions: partitions.chosen };
    this.#panel.setTitle(tailTitle(shown, partitions.count));
  }

  /** All partitions are not named: there may be more where a link is opened. */
  #shownSubject(): TailSubject {
    const { partitions: asked, ...subject } = this.#subject;
    const { count, chosen } = this.#partitions;
    const partitions = count === 0 ? asked : chosen.length === count ? undefined : chosen;
    return { ...subject, ...(partitions && { partitions }) };
  }

  #notifyStatus(): void {
    this.#channel.notify('status', this.#status.status);
  }

  #onProgress(progress: TailProgress): void {
    const { partitionCount: count = 0 } = progress;
    // As told by the tail that is shown: of one that begins that is set when it has begun.
    if (count > this.#partitions.count && this.#partitions.count > 0)
      this.#show(this.#subject, { count, chosen: Array.from({ length: count }, (_, at) => at) });
    this.#channel.notify('progress', progress);
  }

  #notifyProgress(): void {
    if (this.#slot.tail) this.#channel.notify('progress', this.#slot.tail.progress);
  }

  /** `what` is asked when the filter that a page has set before is known to be in force, or not. */
  async #begin(what: () => TailSubject, signal?: AbortSignal): Promise<void> {
    let subject = this.#subject;
    let partitions = this.#partitions;
    const has = await this.#slot.begin(async () => {
      subject = what();
      const { topic, from, cluster, scope = defaultTailScope, filter = '', within } = subject;
      const decoders = this.#context.decoders.of(cluster.id, topic);
      partitions = await this.#partitionsOf(subject, signal);
      const connection = await sessionOf(this.#context.registry, cluster).connection();
      return {
        connection,
        topic,
        partitions: [...partitions.chosen],
        isAll: partitions.chosen.length === partitions.count,
        from,
        scope,
        filter,
        decoders,
        within,
      };
    }, signal);
    if (!has) return;
    this.#paused = false;
    this.#show(subject, partitions);
  }

  #setup(): TailSetup {
    const {
      cluster,
      topic,
      from,
      open,
      within,
      scope = defaultTailScope,
      filter = '',
    } = this.#subject;
    const { count, chosen } = this.#partitions;
    return {
      cluster: clusterRefOf(cluster),
      topic,
      partitionCount: count,
      partitions: [...chosen],
      from,
      scope,
      filter,
      within,
      decoders: decoderLabels(this.#context.decoders.of(cluster.id, topic)),
      paused: this.#paused,
      ...(open && { open: { partition: open.partition, offset: open.offset.toString() } }),
    };
  }

  /** A tail that did not start has no progress of its own; the panel shows why. One that runs goes on. */
  #tellFailure(error: unknown): void {
    const words = toUserError(error);
    if (this.#slot.tail) {
      const text = [words.message, words.hint].filter(Boolean).join(' ');
      void vscode.window.showErrorMessage(text);
      return;
    }
    const failed: TailProgress = {
      ...noProgress,
      session: this.#slot.session,
      began: this.#slot.session,
      state: 'failed',
      error: words,
    };
    this.#channel.notify('progress', failed);
  }
}
