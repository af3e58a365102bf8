/** What the tail panel writes: records of one's own, and its own once more. */
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { Tail } from '../../cluster/tail/tails.ts';
import type { Handlers } from '../../shared/channel.ts';
import type { tailHost } from '../../shared/contracts/tail.ts';
import type { RecordPlace } from '../../shared/contracts/tailRows.ts';
import { ignoreCancelled } from '../commands/prompts.ts';
import type { OpenProduce } from './produceSubject.ts';
import { recordDraft } from './recordDraft.ts';
import { recordSource, type ReplaySource, shownSource } from './replaySource.ts';
import { readRecord } from './tailRecord.ts';
import { replayRecords } from './tailReplay.ts';
import type { TailSubject } from './tailSubject.ts';
import { toUserError } from './words.ts';

interface TailWriting {
  readonly registry: ClusterRegistry;
  readonly openProduce: OpenProduce;
  /** As they are when something is asked for. */
  readonly tail: () => Tail | undefined;
  readonly subject: () => TailSubject;
  /** Of those looked at. */
  readonly largestPartition: () => number;
}

export function writeHandlers(
  of: TailWriting,
): Pick<Handlers<typeof tailHost>, 'produce' | 'produceAgain' | 'replay'> {
  return {
    produce: () => {
      const { cluster, topic, partitions } = of.subject();
      const partition = partitions?.length === 1 ? partitions[0] : undefined;
      of.openProduce({ cluster, topic, partition: partition ?? null });
      return {};
    },
    produceAgain: async ({ partition, offset, ...forms }, signal) => {
      try {
        const record = await readRecord(of.tail(), { partition, offset }, signal);
        const draft = recordDraft(record, forms);
        const { topic, partition: to } = draft;
        of.openProduce({ cluster: of.subject().cluster, topic, partition: to, draft });
        return {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
    replay: async ({ record }, signal) => {
      try {
        const source = await sourceOf(of, record, signal);
        if (source) await ignoreCancelled(replayRecords(of.registry, source));
        return {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
  };
}

/** One record, or all that are shown. */
async function sourceOf(
  of: TailWriting,
  record: RecordPlace | undefined,
  signal: AbortSignal,
): Promise<ReplaySource | undefined> {
  const { cluster, topic } = of.subject();
  if (record) return recordSource(cluster, await readRecord(of.tail(), record, signal));
  const tail = of.tail();
  return tail && shownSource(tail, { cluster, topic, largestPartition: of.largestPartition() });
}
