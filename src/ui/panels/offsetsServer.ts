import type * as v from 'valibot';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import type { PlannedOffset, ResetScenario } from '../../cluster/offsetPlan.ts';
import {
  applyReset,
  type GroupPosition,
  type GroupPositions,
  loadGroupPositions,
  planReset,
  type ResetOutcome,
} from '../../cluster/offsetReset.ts';
import { Channel, type Handlers } from '../../shared/channel.ts';
import {
  type GroupPartition,
  type GroupSnapshot,
  offsetsHost,
  offsetsView,
  type PlanRow,
  type ResetResult,
  type ResetScenario as ScenarioMessage,
} from '../../shared/contracts/offsets.ts';
import { CancelledError, confirm } from '../commands/prompts.ts';
import { sessionOf } from '../sessions.ts';
import { counted, listed } from '../text.ts';
import { offsetsKey, type OffsetsSubject } from './offsetsSubject.ts';
import type { OpenPanel, PanelContext, PanelServer } from './panelHost.ts';
import { clusterRefOf, problemWords, toUserError } from './words.ts';

type ApplyRow = v.InferOutput<typeof offsetsHost.apply.params>['rows'][number];
type ApplyAnswer = v.InferOutput<typeof offsetsHost.apply.result>;

/** Answers an offsets panel's page. */
export class OffsetsServer implements PanelServer<OffsetsSubject> {
  readonly #context: PanelContext;
  readonly #subject: OffsetsSubject;
  readonly #channel: Channel<typeof offsetsHost, typeof offsetsView>;
  readonly key: string;

  constructor(context: PanelContext, panel: OpenPanel, subject: OffsetsSubject) {
    this.#context = context;
    this.#subject = subject;
    this.key = offsetsKey(subject);
    this.#channel = new Channel({
      transport: panel.transport,
      onInvalid: panel.onInvalid,
      serves: offsetsHost,
      handlers: this.#handlers(),
      calls: offsetsView,
    });
  }

  /** Shows the group as it is now. */
  reopen(): void {
    this.#snapshot().then(
      (group) => this.#channel.notify('group', group),
      (error: unknown) => this.#context.log.warn(`offsets panel: ${String(error)}`),
    );
  }

  dispose(): void {
    this.#channel.dispose();
  }

  get #session(): ClusterSession {
    return sessionOf(this.#context.registry, this.#subject.cluster);
  }

  #handlers(): Handlers<typeof offsetsHost> {
    const load = async (_params: unknown, signal: AbortSignal) => {
      try {
        return { group: await this.#snapshot(signal) };
      } catch (error) {
        return { error: toUserError(error) };
      }
    };
    return {
      ready: load,
      load,
      plan: async ({ scenario, scope }, signal) => {
        try {
          const rows = await planReset(
            this.#session,
            { group: this.#subject.group, scenario: scenarioOf(scenario), scope },
            signal,
          );
          return { rows: rows.map(planRowOf) };
        } catch (error) {
          return { rows: [], error: toUserError(error) };
        }
      },
      apply: ({ rows }, signal) => this.#apply(rows, signal),
    };
  }

  async #snapshot(signal?: AbortSignal): Promise<GroupSnapshot> {
    const { cluster, group } = this.#subject;
    const session = this.#session;
    const [positions, topics] = await Promise.all([
      loadGroupPositions(session, group, signal ? { signal } : {}),
      session.topics(signal),
    ]);
    return {
      cluster: clusterRefOf(cluster),
      group,
      state: positions.details.state,
      resettable: positions.resettable,
      members: membersOf(positions),
      partitions: positions.positions.map(partitionOf),
      topics: topics
        .filter(({ isInternal }) => !isInternal)
        .map(({ name, partitionCount }) => ({ name, partitionCount })),
    };
  }

  async #apply(rows: readonly ApplyRow[], signal: AbortSignal): Promise<ApplyAnswer> {
    const { cluster, group } = this.#subject;
    try {
      this.#session.assertWritable();
      await confirmReset(group, cluster, rows);
      const outcomes = await applyReset(
        this.#session,
        group,
        rows.map(({ topic, partition, committed, target }) => ({
          topic,
          partition,
          committed: committed === null ? null : BigInt(committed),
          target: BigInt(target),
        })),
        signal,
      );
      return { cancelled: false, results: outcomes.map(resultOf) };
    } catch (error) {
      if (error instanceof CancelledError) return { cancelled: true, results: [] };
      return { cancelled: false, results: [], error: toUserError(error) };
    } finally {
      void this.#context.refreshTrees();
    }
  }
}

async function confirmReset(
  group: string,
  cluster: ClusterProfile,
  rows: readonly ApplyRow[],
): Promise<void> {
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  const scope = [...byTopic.entries()].map(([topic, of]) => {
    const partitions = of.map(({ partition }) => partition).sort((a, b) => a - b);
    return `${topic}: partition${partitions.length === 1 ? '' : 's'} ${listed(partitions)}`;
  });
  await confirm(
    `Reset the offsets of ${group} on ${counted(rows.length, 'partition')}?`,
    [...scope, '', `On ${cluster.name}. The group's consumers go on from the new offsets.`].join(
      '\n',
    ),
    'Reset',
    cluster,
  );
}

function scenarioOf(message: ScenarioMessage): ResetScenario {
  switch (message.kind) {
    case 'earliest':
    case 'latest':
      return { kind: message.kind };
    case 'offset':
      return { kind: 'offset', offset: BigInt(message.offset) };
    case 'time':
      return { kind: 'time', timestamp: BigInt(message.timestamp) };
  }
}

function planRowOf(row: PlannedOffset): PlanRow {
  return {
    topic: row.topic,
    partition: row.partition,
    committed: row.committed?.toString() ?? null,
    end: row.end.toString(),
    target: row.target.toString(),
    delta: row.delta?.toString() ?? null,
    effect: row.effect,
    ...(row.warning !== undefined && { warning: row.warning }),
  };
}

function resultOf({ topic, partition, committed, problem }: ResetOutcome): ResetResult {
  return {
    topic,
    partition,
    committed: committed?.toString() ?? null,
    ...(problem && { error: problemWords(problem) }),
  };
}

function membersOf({ details }: GroupPositions): GroupSnapshot['members'] {
  return details.members.map(({ memberId, clientId, host, assignment }) => ({
    memberId,
    clientId,
    host,
    partitions: assignment.map(({ topic, partition }) => ({ topic, partition })),
  }));
}

function partitionOf(position: GroupPosition): GroupPartition {
  const { topic, partition, committed, metadata, offsets } = position;
  const known = { topic, partition, committed: committed?.toString() ?? null, metadata };
  if ('problem' in offsets) {
    return { ...known, logStart: '-1', end: '-1', lag: null, error: problemWords(offsets.problem) };
  }
  const { logStart, highWatermark } = offsets.value;
  const lag = committed === null ? null : highWatermark - committed;
  return {
    ...known,
    logStart: logStart.toString(),
    end: highWatermark.toString(),
    lag: lag?.toString() ?? null,
  };
}
