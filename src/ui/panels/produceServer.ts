import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import { errorMessage } from '../../base/logger.ts';
import { systemRandom } from '../../base/random.ts';
import { randomUuidText } from '../../base/uuid.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import type { ProducedRecord } from '../../client/produce.ts';
import type { RunningChange } from '../../cluster/activity/changeLog.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import { Channel, type Handlers } from '../../shared/channel.ts';
import {
  emptyDraft,
  type FormDraft,
  isOfDestination,
  type ManyResult,
  type ProduceDraft,
  produceHost,
  type ProducePreview,
  type ProduceSetup,
  produceView,
} from '../../shared/contracts/produce.ts';
import { sessionOf } from '../sessions.ts';
import { chooseDraft, saveDraft } from './draftChoices.ts';
import { DraftDelivery } from './draftDelivery.ts';
import { filledDrafts } from './draftTemplate.ts';
import { ClusterStatusFeed } from './clusterStatusFeed.ts';
import { HeldPayloads } from './heldPayloads.ts';
import { KnownTopics } from './knownTopics.ts';
import type { OpenPanel } from './openPanel.ts';
import type { PanelContext, PanelServer } from './panelHost.ts';
import { previewDraft, recordOf } from './produceDraft.ts';
import { type ManyJob, sendFile, sendTemplate } from './produceMany.ts';
import { produceKey, type ProduceSubject, type ShowRecord } from './produceSubject.ts';
import { ManySending } from './produceSending.ts';
import { showSending } from './sendingNotice.ts';
import { whenConnected } from './connectionChanges.ts';
import { clusterRefOf, toUserError } from './words.ts';

const sampleRecords = 3;
const shownCharacters = 2000;

/** Answers a produce panel's page. */
export class ProduceServer implements PanelServer<ProduceSubject> {
  readonly #context: PanelContext;
  readonly #panel: OpenPanel;
  readonly #showRecord: ShowRecord;
  readonly #channel: Channel<typeof produceHost, typeof produceView>;
  #subject: ProduceSubject;
  readonly #held = new HeldPayloads(() => randomUuidText(systemRandom));
  readonly #topics = new KnownTopics({
    read: (signal) => this.#session.topics(signal),
    nowMs: () => Date.now(),
  });
  /** The page could not be set up, and shows why in place of its form. */
  #isStranded = false;
  readonly #following = new DisposableStore();
  readonly #status: ClusterStatusFeed;
  readonly #ended = new AbortController();
  #draftNumber = 0;
  readonly #sending: ManySending;
  readonly #delivery = new DraftDelivery();

  constructor(
    context: PanelContext,
    panel: OpenPanel,
    options: { readonly subject: ProduceSubject; readonly showRecord: ShowRecord },
  ) {
    this.#context = context;
    this.#panel = panel;
    this.#subject = this.#taken(options.subject);
    this.#showRecord = options.showRecord;
    this.#sending = new ManySending({
      tellPage: (progress) => this.#channel.notify('progress', progress),
      takeOver: (sending) => void showSending(sending),
    });
    this.#channel = new Channel({
      transport: panel.transport,
      onInvalid: panel.onInvalid,
      serves: produceHost,
      handlers: this.#handlers(),
      calls: produceView,
    });
    const { cluster } = options.subject;
    this.#following.add(
      whenConnected(context.registry, cluster.id, () => {
        if (this.#isStranded) void this.#rescue();
      }),
    );
    this.#status = this.#following.add(new ClusterStatusFeed(context, cluster));
    this.#following.add(
      this.#status.onDidChange((status) => this.#channel.notify('status', status)),
    );
  }

  get key(): string {
    return produceKey(this.#subject.cluster, this.#subject.topic);
  }

  /** Asked for with a draft, the panel takes it; else it keeps what was being written. */
  reopen(subject: ProduceSubject): void {
    if (!subject.draft) return;
    this.#subject = this.#taken(subject);
    this.#draftNumber++;
    this.#channel.notify('setup', this.#setup());
  }

  dispose(): void {
    this.#ended.abort();
    this.#following.dispose();
    this.#channel.dispose();
    this.#sending.dispose();
  }

  /** With what is too large for a form kept here. */
  #taken(subject: ProduceSubject): ProduceSubject {
    return subject.draft ? { ...subject, draft: this.#held.take(subject.draft) } : subject;
  }

  get #session(): ClusterSession {
    return sessionOf(this.#context.registry, this.#subject.cluster);
  }

  #handlers(): Handlers<typeof produceHost> {
    return {
      ready: (_params, signal) => this.#begin(signal),
      preview: (draft, signal) => this.#preview(draft, signal),
      send: async (draft, signal) => {
        try {
          return { sent: await this.#send(this.#held.whole(draft), signal) };
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
      hold: (draft) => this.#held.take(draft),
      sendMany: ({ draft, options }) =>
        this.#many(this.#held.whole(draft), options.perSecond, (job) => sendTemplate(job, options)),
      sendFile: ({ draft, perSecond }) => this.#sendFile(this.#held.whole(draft), perSecond),
      bringUp: () => this.#status.bringUp(),
      awaitMany: () => this.#sending.wait(),
      cancelMany: () => {
        this.#sending.cancel();
        return {};
      },
      sample: (draft) => this.#sample(draft),
      saveDraft: (draft) => saveDraft(this.#context.drafts, this.#held.whole(draft)),
      chooseDraft: () => this.#chooseDraft(),
      topics: (_params, signal) => this.#topics.current(signal),
      copy: async ({ text }) => {
        await vscode.env.clipboard.writeText(text);
        return {};
      },
      openRecord: ({ topic, partition, offset }) => {
        this.#showRecord(this.#subject.cluster, { topic, partition, offset: BigInt(offset) });
        return {};
      },
    };
  }

  async #chooseDraft(): Promise<{ draft?: FormDraft }> {
    const { draft } = await chooseDraft(this.#context.drafts);
    return draft ? { draft: this.#held.take(draft) } : {};
  }

  async #begin(signal: AbortSignal): Promise<ProduceSetup> {
    this.#isStranded = false;
    this.#channel.notify('status', this.#status.status);
    try {
      await this.#topics.read(signal);
      return this.#setup();
    } catch (error) {
      this.#isStranded = true;
      throw error;
    }
  }

  /** The cluster is there again: sets the page up without being asked to try again. */
  async #rescue(): Promise<void> {
    try {
      this.#channel.notify('setup', await this.#begin(this.#ended.signal));
    } catch (error) {
      this.#context.log.warn(`produce panel: ${errorMessage(error)}`);
    }
  }

  /** Others create topics and partitions meanwhile: none is said to be missing by an old list. */
  async #preview(form: FormDraft, signal: AbortSignal): Promise<ProducePreview> {
    const problems = this.#held.problemsOf(form);
    if (problems.length > 0) return { choices: [], commands: [], problems };
    const draft = this.#held.whole(form);
    const preview = this.#look(draft);
    if (!preview.problems.some(isOfDestination)) return preview;
    await this.#topics.refresh(signal);
    return this.#look(draft);
  }

  #look(draft: ProduceDraft): ProducePreview {
    const { state, profile } = this.#session;
    const bootstrap = state.kind === 'connected' ? state.bootstrap : profile.bootstrap.join(',');
    return previewDraft(draft, {
      topics: this.#topics.all,
      bootstrap,
      nowMs: Date.now(),
      random: systemRandom,
    });
  }

  /** What the first records of a template would be: their values, or why there are none. */
  #sample(form: FormDraft): { values: string[]; error?: ReturnType<typeof toUserError> } {
    try {
      const draft = this.#held.whole(form);
      const scene = { nowMs: () => Date.now(), random: systemRandom };
      const values = [...filledDrafts(draft, sampleRecords, scene)].map((filled) => {
        const { value } = recordOf(filled);
        return value === null ? '⌀ null' : Buffer.from(value).toString('utf8', 0, shownCharacters);
      });
      return { values };
    } catch (error) {
      return { values: [], error: toUserError(error) };
    }
  }

  async #sendFile(draft: ProduceDraft, perSecond: number | null): Promise<ManyResult | undefined> {
    const [file] =
      (await vscode.window.showOpenDialog({
        title: t('Send the records of a file to {0}', draft.topic),
        openLabel: t('Send'),
        filters: {
          [t('Records: JSON lines or CSV')]: ['jsonl', 'ndjson', 'json', 'csv'],
          [t('All files')]: ['*'],
        },
      })) ?? [];
    if (!file) return undefined;
    return this.#many(draft, perSecond, (job) => sendFile(job, file.fsPath));
  }

  #many(
    draft: ProduceDraft,
    perSecond: number | null,
    send: (job: ManyJob) => Promise<ManyResult>,
  ): Promise<ManyResult> {
    return this.#sending.start(draft.topic, async (run) =>
      send({ session: this.#session, draft, perSecond, ...run }),
    );
  }

  #setup(): ProduceSetup {
    const { cluster, topic, partition, draft } = this.#subject;
    return {
      cluster: clusterRefOf(cluster),
      topics: [...this.#topics.all],
      draft: draft ?? emptyDraft(topic, partition),
      draftNumber: this.#draftNumber,
      ...(this.#sending.progress && { sending: this.#sending.progress }),
    };
  }

  async #send(
    draft: ProduceDraft,
    signal: AbortSignal,
  ): Promise<{ topic: string; partition: number; offset: string; timestamp: string }> {
    const { cluster } = this.#subject;
    const change = { kind: 'produce', topic: draft.topic, from: 'form' } as const;
    const deliver = async (
      client: KafkaClient,
      running: RunningChange,
    ): Promise<ProducedRecord> => {
      const produced = await this.#delivery.deliver(client, draft, running.signal);
      const { partition, offset } = produced;
      running.note({ place: { partition, offset: offset.toString() } });
      return produced;
    };
    const sent = await this.#session.change(change, deliver, { signal });
    if (this.#subject.topic !== draft.topic) {
      this.#subject = { cluster, topic: draft.topic, partition: draft.partition };
      this.#panel.setTitle(t('Produce to {0} @ {1}', draft.topic, cluster.name));
    }
    return {
      topic: draft.topic,
      partition: sent.partition,
      offset: sent.offset.toString(),
      timestamp: sent.timestamp.toString(),
    };
  }
}
