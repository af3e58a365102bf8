import * as v from 'valibot';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { TailSession } from '../../cluster/tailSession.ts';
import { Channel, type Handlers } from '../../shared/channel.ts';
import {
  tailHost,
  type TailProgress,
  type TailSetup,
  tailState,
  tailView,
} from '../../shared/contracts/tail.ts';
import { sessionOf } from '../sessions.ts';
import type { OpenPanel, PanelContext, PanelKind, PanelServer } from './panelHost.ts';
import { clusterRefOf, toUserError } from './words.ts';

export interface TailSubject {
  readonly cluster: ClusterProfile;
  readonly topic: string;
  /** Left out: all of them. */
  readonly partitions?: readonly number[];
  /** A seek expression. */
  readonly from: string;
  /** A record to open when its row is read. */
  readonly open?: { readonly partition: number; readonly offset: bigint };
}

/** The tail panel: one for each cluster, topic and set of partitions. */
export function tailPanel(context: PanelContext): PanelKind<TailSubject> {
  return {
    name: 'tail',
    state: tailState,
    restore: (state) => {
      const { cluster, topic, partitions, from } = v.parse(tailState, state);
      const profile = context.registry.profile(cluster.id);
      return profile && { cluster: profile, topic, partitions, from };
    },
    title: (subject) => title(subject),
    key: ({ cluster, topic, partitions }) => keyOf(cluster, topic, partitions),
    serve: (panel, subject) => new TailServer(context, panel, subject),
  };
}

/** The tab's title; a partition is named where only one of several is shown. */
function title({ cluster, topic, partitions }: TailSubject, partitionCount = Infinity): string {
  const part = partitions?.length === 1 && partitionCount > 1 ? `-${partitions[0]}` : '';
  return `${topic}${part} @ ${cluster.name}`;
}

function keyOf(
  cluster: ClusterProfile,
  topic: string,
  partitions: readonly number[] | undefined,
): string {
  return JSON.stringify([cluster.id, topic, partitions ?? 'all']);
}

class TailServer implements PanelServer<TailSubject> {
  readonly #context: PanelContext;
  readonly #panel: OpenPanel;
  readonly #disposables = new DisposableStore();
  readonly #channel: Channel<typeof tailHost, typeof tailView>;
  #subject: TailSubject;
  #partitionCount = 0;
  #partitions: readonly number[] = [];
  #paused = false;
  #sessionNumber = 0;
  #session: TailSession | undefined;

  constructor(context: PanelContext, panel: OpenPanel, subject: TailSubject) {
    this.#context = context;
    this.#panel = panel;
    this.#subject = subject;
    this.#channel = this.#disposables.add(
      new Channel({
        transport: panel.transport,
        onInvalid: panel.onInvalid,
        serves: tailHost,
        handlers: this.#handlers(),
        calls: tailView,
      }),
    );
  }

  get key(): string {
    const { cluster, topic, partitions } = this.#subject;
    const all = this.#partitionCount > 0 && this.#partitions.length === this.#partitionCount;
    const shown = this.#partitionCount > 0 ? this.#partitions : partitions;
    return keyOf(cluster, topic, all ? undefined : shown);
  }

  reopen(subject: TailSubject): void {
    this.#subject = subject;
    this.#paused = false;
    this.#beginOrSay();
    this.#channel.notify('setup', this.#setup());
  }

  dispose(): void {
    this.#session?.dispose();
    this.#disposables.dispose();
  }

  #handlers(): Handlers<typeof tailHost> {
    return {
      ready: async (_params, signal) => {
        try {
          // A page that was hidden comes back to the session that it left, with its rows and its pause.
          if (!this.#session) {
            await this.#learnPartitions(signal);
            this.#beginOrSay();
          }
        } catch (error) {
          this.#notifyFailure(error);
        }
        queueMicrotask(() => this.#notifyProgress());
        return this.#setup();
      },
      seek: async ({ from, partitions }, signal) => {
        const { cluster, topic } = this.#subject;
        this.#subject = { cluster, topic, from, partitions: partitions.toSorted((a, b) => a - b) };
        this.#paused = false;
        try {
          await this.#learnPartitions(signal);
          await this.#begin();
          return {};
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
      setPaused: ({ paused }) => {
        this.#paused = paused;
        this.#session?.setPaused(paused);
        return {};
      },
      rows: ({ session, first, count }) => {
        if (session !== this.#sessionNumber || !this.#session) {
          return { session: this.#sessionNumber, first, rows: [] };
        }
        const rows = this.#session.rows(first, count);
        const { dropped } = this.#session.progress;
        return { session, first: Math.max(first, dropped), rows };
      },
      details: async ({ partition, offset }, signal) => {
        try {
          const record = await this.#session?.details(partition, BigInt(offset), signal);
          return record ? { record } : {};
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
      copy: async ({ text }) => {
        await vscode.env.clipboard.writeText(text);
        return {};
      },
    };
  }

  async #learnPartitions(signal: AbortSignal): Promise<void> {
    const { cluster, topic, partitions } = this.#subject;
    const rows = await sessionOf(this.#context.registry, cluster).partitions(topic, signal);
    const known = rows.map(({ partition }) => partition).sort((a, b) => a - b);
    this.#partitionCount = known.length;
    const wanted = partitions?.filter((partition) => known.includes(partition));
    this.#partitions = wanted?.length ? wanted : known;
    this.#showTitle();
  }

  #showTitle(): void {
    const subject = { ...this.#subject, partitions: this.#partitions };
    this.#panel.setTitle(title(subject, this.#partitionCount));
  }

  #beginOrSay(): void {
    this.#begin().catch((error: unknown) => this.#notifyFailure(error));
  }

  #notifyProgress(): void {
    if (this.#session) this.#channel.notify('progress', this.#session.progress);
  }

  /** Ends the session under way and starts the subject's. A newer start makes this one's outcome moot. */
  async #begin(): Promise<void> {
    const { cluster, topic, from } = this.#subject;
    this.#session?.dispose();
    const session = new TailSession({
      cluster: sessionOf(this.#context.registry, cluster),
      topic,
      partitions: this.#partitions,
      from,
      session: ++this.#sessionNumber,
    });
    this.#session = session;
    session.onDidProgress((progress) => {
      if (this.#session === session) this.#channel.notify('progress', progress);
    });
    try {
      await session.start();
    } catch (error) {
      if (this.#session === session) throw error;
    }
    if (this.#session === session && this.#paused) session.setPaused(true);
  }

  #setup(): TailSetup {
    const { cluster, topic, from, open } = this.#subject;
    return {
      cluster: clusterRefOf(cluster),
      topic,
      partitionCount: this.#partitionCount,
      partitions: [...this.#partitions],
      from,
      paused: this.#paused,
      ...(open && { open: { partition: open.partition, offset: open.offset.toString() } }),
    };
  }

  /** A session that did not start has no progress of its own; the panel shows why. */
  #notifyFailure(error: unknown): void {
    const failed: TailProgress = {
      session: this.#sessionNumber,
      held: 0,
      dropped: 0,
      perSecond: 0,
      state: 'failed',
      error: toUserError(error),
      behind: '0',
    };
    this.#channel.notify('progress', failed);
  }
}
