import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Tail } from '../../cluster/tails.ts';
import { recordFileFormat, type RecordFileFormat, recordFileHead } from '../../codec/recordFile.ts';
import { groupThousands } from '../../shared/numbers.ts';
import type { TailSubject } from './tailSubject.ts';

/** Writes what a tail shows, or all that it holds, to a file that the person chooses. */
export async function exportTail(tail: Tail, { topic }: TailSubject): Promise<void> {
  const all = tail.progress.filter ? await askWhich(tail) : true;
  if (all === undefined) return;
  const file = await vscode.window.showSaveDialog({
    title: t('Export records of {0}', topic),
    filters: { [t('JSON lines')]: ['jsonl'], CSV: ['csv'] },
    ...suggestion(topic),
  });
  if (!file) return;
  if (file.scheme !== 'file') throw new Error(t('Records can be exported to a file on disk only.'));
  const format = recordFileFormat(file.fsPath);
  const written = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('Exporting records of {0}', topic),
      cancellable: true,
    },
    (progress, token) => write(tail, { path: file.fsPath, format, all }, { progress, token }),
  );
  const choice = await vscode.window.showInformationMessage(
    t('{0} records written to {1}', groupThousands(written), file.fsPath),
    t('Open'),
  );
  if (choice) await vscode.window.showTextDocument(file);
}

/** Undefined: the person thought better of it. */
async function askWhich(tail: Tail): Promise<boolean | undefined> {
  const shown = { label: t('What is shown'), description: groupThousands(tail.progress.held) };
  const all = { label: t('All that is held'), description: t('without the filter') };
  const chosen = await vscode.window.showQuickPick([shown, all], { title: t('Export') });
  return chosen && chosen === all;
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
  readonly progress: vscode.Progress<{ message?: string; increment?: number }>;
  readonly token: vscode.CancellationToken;
}

/** Answers with how many records were written; a cancelled export keeps what it has. */
async function write(
  tail: Tail,
  { path, format, all }: Target,
  { progress, token }: Watched,
): Promise<number> {
  const handle = await open(path, 'w');
  let written = 0;
  try {
    await handle.write(recordFileHead(format));
    for await (const { text, records } of tail.exportRows(format, all)) {
      await handle.write(text);
      written += records;
      progress.report({ message: groupThousands(written) });
      if (token.isCancellationRequested) break;
    }
  } finally {
    await handle.close();
  }
  return written;
}
