import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import { loadGroupPositions } from '../../cluster/offsets/groupPositions.ts';
import { historyKey } from '../../cluster/offsets/keptReset.ts';
import { offsetCommands, offsetCommandText } from '../../cluster/offsets/offsetCommand.ts';
import type { OffsetHistory } from '../../cluster/offsets/offsetHistory.ts';
import { firstRecord, inspectRange } from '../../cluster/offsets/offsetRange.ts';
import { planReset, type ResetScenario } from '../../cluster/offsets/offsetScenario.ts';
import { readOffsets } from '../../cluster/topicReads.ts';
import { Channel, type Handlers } from '../../shared/channel.ts';
import {
  type GroupSnapshot,
  offsetsHost,
  offsetsView,
  type ResetScenario as ScenarioMessage,
  type TargetFacts,
} from '../../shared/contracts/offsets.ts';
import { CancelledError, confirm } from '../commands/prompts.ts';
import { sessionOf } from '../sessions.ts';
import { ClusterStatusFeed } from './clusterStatusFeed.ts';
import { type Changed, deleteWholeGroup, resetOffsets } from './offsetsChanges.ts';
import { exportOffsets, importOffsets } from './offsetsFiles.ts';
import { factsOf, membersOf, partitionOf, planRowOf, scenarioOf } from './offsetsMessages.ts';
import { offsetsKey, type OffsetsSubject } from './offsetsSubject.ts';
import type { OpenPanel } from './openPanel.ts';
import type { PanelContext, PanelServer } from './panelHost.ts';
import { KnownTopics } from './knownTopics.ts';
import { whenConnected } from './connectionChanges.ts';
import { clusterRefOf, toUserError } from './words.ts';

/** Answers an offsets panel's page. */
export class OffsetsServer extends DisposableStore implements PanelServer<OffsetsSubject> {
  readonly #context: PanelContext;
  readonly #subject: OffsetsSubject;
  readonly #history: OffsetHistory;
  readonly #channel: Channel<typeof offsetsHost, typeof offsetsView>;
  readonly #status: ClusterStatusFeed;
  readonly #topics = new KnownTopics({
    read: (signal) => this.#session.topics(signal),
    nowMs: () => Date.now(),
  });
  readonly key: string;
  /** Whether the group could be loaded when the page last asked for it. */
  #isLoaded = false;

  constructor(context: PanelContext, panel: OpenPanel, subject: OffsetsSubject) {
    super();
    this.#context = context;
    this.#subject = subject;
    this.#history = context.offsetHistory;
    this.key = offsetsKey(subject);
    this.#channel = this.add(
      new Channel({
        transport: panel.transport,
        onInvalid: panel.onInvalid,
        serves: offsetsHost,
        handlers: this.#handlers(),
        calls: offsetsView,
      }),
    );
    this.#status = this.add(new ClusterStatusFeed(context, subject.cluster));
    this.add(this.#status.onDidChange((status) => this.#channel.notify('status', status)));
    // A panel may be restored before its cluster is started, and shows the group once it is.
    this.add(
      whenConnected(context.registry, subject.cluster.id, () => {
        if (!this.#isLoaded) this.reopen();
      }),
    );
  }

  /** Shows the group as it is now. */
  reopen(): void {
    this.#snapshot().then(
      (group) => this.#channel.notify('group', group),
      (error: unknown) => this.#context.log.warn(`offsets panel: ${String(error)}`),
    );
  }

  get #session(): ClusterSession {
    return sessionOf(this.#context.registry, this.#subject.cluster);
  }

  get #changed(): Changed {
    const { changeThatKept } = this.#context;
    return { session: this.#session, ...this.#subject, history: this.#history, changeThatKept };
  }

  #handlers(): Handlers<typeof offsetsHost> {
    const load = (_params: unknown, signal: AbortSignal) =>
      orError({}, async () => {
        this.#isLoaded = false;
        this.#channel.notify('status', this.#status.status);
        const group = await this.#snapshot(signal);
        this.#isLoaded = true;
        return { group };
      });
    const { group } = this.#subject;
    return {
      ready: load,
      load,
      plan: ({ scenario, scope }, signal) =>
        orError({ rows: [], refused: [] }, async () => {
          const request = { group, scenario: await this.#scenario(scenario), scope };
          const { rows, refused } = await planReset(this.#session, request, signal);
          return { rows: rows.map(planRowOf), refused: [...refused] };
        }),
      look: (params, signal) =>
        orError({}, async () => ({ facts: await this.#look(params, signal) })),
      apply: async (wanted, signal) => {
        const onAgreed = (): void => this.#channel.notify('resetting', {});
        const answer = await this.#change({ cancelled: true, results: [] }, () =>
          resetOffsets(this.#changed, wanted, { onAgreed, signal }),
        );
        return answer.error ? { ...answer, cancelled: false } : answer;
      },
      history: () =>
        orError({ entries: [] }, async () => ({
          entries: await this.#history.list(await historyKey(this.#changed)),
        })),
      topics: (_params, signal) => this.#topics.current(signal),
      groups: (_params, signal) =>
        orError({ groups: [] }, async () => ({ groups: await this.#otherGroups(signal) })),
      importCsv: () => orError({}, async () => (await importOffsets(group)) ?? {}),
      exportCsv: ({ offsets }) =>
        done(() => exportOffsets({ ...this.#subject, ...this.#context }, offsets)),
      copyCommand: (params) => done(() => this.#copyCommand(params)),
      bringUp: () => this.#status.bringUp(),
      removeMembers: () => this.#change({}, () => done(() => this.#removeMembers())),
      deleteGroup: (_params, signal) =>
        this.#change({}, () => done(() => deleteWholeGroup(this.#changed, signal))),
    };
  }

  /**
   * Whatever comes of it, rows of the tree and the panel show it. A person who says no is answered with `otherwise`.
   */
  async #change<T extends object>(otherwise: T, work: () => Promise<T>): Promise<Answer<T>> {
    try {
      return await orError(otherwise, work);
    } finally {
      void this.#context.refreshTrees();
      this.reopen();
    }
  }

  #scenario(message: ScenarioMessage): Promise<ResetScenario> {
    return scenarioOf(message, async (id) =>
      this.#history.load(await historyKey(this.#changed), id),
    );
  }

  async #snapshot(signal = new AbortController().signal): Promise<GroupSnapshot> {
    const { cluster, group } = this.#subject;
    const session = this.#session;
    const [positions] = await Promise.all([
      loadGroupPositions(session, group, { signal }),
      this.#topics.read(signal),
    ]);
    return {
      cluster: clusterRefOf(cluster),
      group,
      state: positions.details.state,
      resettable: positions.resettable,
      members: membersOf(positions),
      partitions: positions.positions.map(partitionOf),
      topics: [...this.#topics.all],
      canRemoveMembers: cluster.kind === 'embedded',
    };
  }

  #look(
    { topic, partition, committed, target }: Looked,
    signal: AbortSignal,
  ): Promise<TargetFacts> {
    return this.#session.use(async (client) => {
      const offsets = (await readOffsets(client, [{ topic, partition }], { signal })).get(
        topic,
        partition,
      );
      if (!offsets || 'problem' in offsets) throw new Error(offsets?.problem.message);
      const { logStart, highWatermark: end } = offsets.value;
      const inside = (offset: bigint): bigint =>
        offset < logStart ? logStart : offset > end ? end : offset;
      const to = inside(BigInt(target));
      const from = committed === null ? to : inside(BigInt(committed));
      const at = { topic, partition };
      const [record, between] = await Promise.all([
        firstRecord(client, { ...at, from: to, to: end }, signal),
        inspectRange(
          client,
          { ...at, from: to < from ? to : from, to: to < from ? from : to },
          signal,
        ),
      ]);
      return factsOf(record, between);
    }, signal);
  }

  async #otherGroups(signal: AbortSignal): Promise<{ name: string; state: string }[]> {
    const groups = await this.#session.groups(signal);
    return groups
      .filter(({ groupId }) => groupId !== this.#subject.group)
      .map(({ groupId, state }) => ({ name: groupId, state }));
  }

  async #copyCommand({ scenario, rows }: Copied): Promise<void> {
    const { state } = this.#session;
    const topics = await this.#session.topics();
    const commands = offsetCommands({
      bootstrap: state.kind === 'connected' ? state.bootstrap : 'localhost:9092',
      group: this.#subject.group,
      scenario: await this.#scenario(scenario),
      rows: rows.map((row) => ({
        ...row,
        target: row.target === null ? null : BigInt(row.target),
      })),
      partitionCounts: new Map(topics.map((topic) => [topic.name, topic.partitionCount])),
    });
    await vscode.env.clipboard.writeText(offsetCommandText(commands));
    vscode.window.setStatusBarMessage(t('Copied the kafka-consumer-groups command'), 3000);
  }

  async #removeMembers(): Promise<void> {
    const { group, cluster } = this.#subject;
    await confirm(
      t('Remove every member of {0}?', group),
      t(
        'On {0}. Their sessions end at once, as if they had crashed: what they have read and not committed is read again. A consumer that still runs joins again by itself.',
        cluster.name,
      ),
      t('Remove'),
      cluster,
    );
    await this.#context.removeGroupMembers(group);
  }
}

type Params<M extends keyof typeof offsetsHost> = Parameters<Handlers<typeof offsetsHost>[M]>[0];
type Looked = Params<'look'>;
type Copied = Params<'copyCommand'>;
type Answer<T> = T & { error?: ReturnType<typeof toUserError> };

/** A failure in words beside what there is otherwise; a question that was answered with no is no failure. */
async function orError<T extends object, O extends object>(
  otherwise: O,
  work: () => Promise<T>,
): Promise<Answer<T | O>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CancelledError) return otherwise;
    return { ...otherwise, error: toUserError(error) };
  }
}

/** For what has nothing to answer but a failure. */
function done(work: () => Promise<void>): Promise<Answer<object>> {
  return orError({}, async () => {
    await work();
    return {};
  });
}
