import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { throwIfCancelled } from '../../client/kafkaError.ts';
import type { ChangeLog } from '../../cluster/activity/changeLog.ts';
import type { Tail } from '../../cluster/tail/tails.ts';
import { recordFileFormat, type RecordFileFormat, recordFileHead } from '../../codec/recordFile.ts';
import { groupThousands } from '../../shared/numbers.ts';
import { isCancellation, withProgress } from '../commands/prompts.ts';
import type { TailSubject } from './tailSubject.ts';

/** Writes what a tail shows, or all that it holds, to a file that the person chooses. */
export async function exportTail(
  tail: Tail,
  subject: TailSubject,
  changes: ChangeLog,
): Promise<void> {
  const { cluster, topic } = subject;
  const all = tail.progress.filter ? await askWhich(tail, subject) : true;
  if (all === undefined) return;
  const file = await vscode.window.showSaveDialog({
    title: saveTitle(topic, tail, all),
    filters: { [t('JSON lines')]: ['jsonl'], CSV: ['csv'] },
    saveLabel: t('Export'),
    ...suggestion(topic),
  });
  if (!file) return;
  if (file.scheme !== 'file') throw new Error(t('Records can be exported to a file on disk only.'));
  const target = { path: file.fsPath, format: recordFileFormat(file.fsPath), all };
  const change = { kind: 'exportRecords', topic, file: file.toString() } as const;
  const written = await underNotification(
    t('Exporting records of {0}', topic),
    ({ signal, onWritten }) =>
      changes.run({ cluster, change, signal }, (running) =>
        write(tail, target, {
          signal: running.signal,
          onWritten: (done) => {
            onWritten(done);
            running.note({ progress: { done, total: null } });
          },
        }),
      ),
  );
  const choice = await vscode.window.showInformationMessage(
    t('{0} records written to {1}', groupThousands(written), file.fsPath),
    t('Open'),
  );
  if (choice) await vscode.window.showTextDocument(file);
}

/** Answers with how many records were written; a cancelled export keeps what it has. */
async function underNotification(
  title: string,
  work: (watched: Watched) => Promise<void>,
): Promise<number> {
  let written = 0;
  try {
    await withProgress(title, ({ signal, report }) => {
      const onWritten = (done: number): void => {
        written = done;
        report(groupThousands(done));
      };
      return work({ signal, onWritten });
    });
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
  return written;
}

function saveTitle(topic: string, { progress }: Tail, all: boolean): string {
  if (!progress.filter) return t('Export all that is held of {0}, as .jsonl or .csv', topic);
  return all
    ? t('Export all that is held of {0}, without the filter, as .jsonl or .csv', topic)
    : t('Export what is shown of {0}, as .jsonl or .csv', topic);
}

/** Undefined: the person thought better of it. */
async function askWhich(tail: Tail, subject: TailSubject): Promise<boolean | undefined> {
  const shown = { label: t('What is shown'), description: groupThousands(tail.progress.held) };
  const all = { label: t('All that is held'), description: whatAllIsWithout(subject) };
  const chosen = await vscode.window.showQuickPick([shown, all], { title: t('Export') });
  return chosen && chosen === all;
}

function whatAllIsWithout({ filter, within }: TailSubject): string {
  if (!within) return t('without the filter');
  return filter ? t('without the filter, of all times') : t('of all times');
}

function suggestion(topic: string): { defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder ? { defaultUri: vscode.Uri.joinPath(folder, `${topic}.jsonl`) } : {};
}

interface Target {
  readonly path: string;
  readonly format: RecordFileFormat;
  readonly all: boolean;
}

interface Watched {
  readonly signal: AbortSignal;
  readonly onWritten: (records: number) => void;
}

async function write(
  tail: Tail,
  { path, format, all }: Target,
  { signal, onWritten }: Watched,
): Promise<void> {
  const handle = await open(path, 'w');
  let written = 0;
  try {
    await handle.write(recordFileHead(format));
    for await (const { text, records } of tail.exportRows(format, all)) {
      await handle.write(text);
      written += records;
      onWritten(written);
      throwIfCancelled(signal);
    }
  } finally {
    await handle.close();
  }
}
