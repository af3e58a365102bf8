/** What the tail panel writes: its records, once more. */
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { Tail } from '../../cluster/tails.ts';
import type { Handlers } from '../../shared/channel.ts';
import type { RecordDetails, tailHost } from '../../shared/contracts/tail.ts';
import { ignoreCancelled } from '../commands/prompts.ts';
import { counted } from '../text.ts';
import { recordDraft } from './recordDraft.ts';
import { recordSource, type ReplaySource, shownSource } from './replaySource.ts';
import { replayRecords } from './tailReplay.ts';
import type { ProduceAgain, TailSubject } from './tailSubject.ts';
import { toUserError } from './words.ts';

interface TailWriting {
  readonly registry: ClusterRegistry;
  readonly produceAgain: ProduceAgain;
  /** As they are when something is asked for. */
  readonly tail: () => Tail | undefined;
  readonly subject: () => TailSubject;
  /** Of those looked at. */
  readonly largestPartition: () => number;
}

interface RecordPlace {
  readonly partition: number;
  readonly offset: string;
}

export function writeHandlers(
  of: TailWriting,
): Pick<Handlers<typeof tailHost>, 'produceAgain' | 'replay'> {
  return {
    produceAgain: async ({ partition, offset, ...forms }, signal) => {
      try {
        const record = await readRecord(of, { partition, offset }, signal);
        const { draft, leftOut } = recordDraft(record, forms);
        of.produceAgain(of.subject().cluster, draft);
        if (leftOut > 0) tellLeftOut(leftOut);
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

/** The whole record; rejects, in words, where it is gone. */
async function readRecord(
  { tail }: TailWriting,
  { partition, offset }: RecordPlace,
  signal: AbortSignal,
): Promise<RecordDetails> {
  const record = await tail()?.details(partition, BigInt(offset), signal);
  if (record) return record;
  throw new Error(t('The record is not there any more: retention or compaction took it.'));
}

/** One record, or all that are shown. */
async function sourceOf(
  of: TailWriting,
  record: RecordPlace | undefined,
  signal: AbortSignal,
): Promise<ReplaySource | undefined> {
  const { cluster, topic } = of.subject();
  if (record) return recordSource(cluster, await readRecord(of, record, signal));
  const tail = of.tail();
  return tail && shownSource(tail, { cluster, topic, largestPartition: of.largestPartition() });
}

function tellLeftOut(count: number): void {
  const words = t(
    '{0} left out: the key is not UTF-8 text of one line, and so cannot be edited. “Replay to …” keeps every byte.',
    counted(count, 'header'),
  );
  void vscode.window.showWarningMessage(words);
}
