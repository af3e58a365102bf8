import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Tail } from '../../cluster/tails.ts';
import { recordFileFormat, type RecordFileFormat, recordFileHead } from '../../codec/recordFile.ts';
import { groupThousands } from '../../shared/numbers.ts';
import type { TailSubject } from './tailSubject.ts';

/** Writes what a tail shows, or all that it holds, to a file that the person chooses. */
export async function exportTail(tail: Tail, { topic }: TailSubject): Promise<void> {
  const all = tail.progress.filter ? await askWhich(tail) : true;
  if (all === undefined) return;
  const file = await vscode.window.showSaveDialog({
    title: `Export records of ${topic}`,
    filters: { 'JSON lines': ['jsonl'], CSV: ['csv'] },
    ...suggestion(topic),
  });
  if (!file) return;
  if (file.scheme !== 'file') throw new Error('Records can be exported to a file on disk only.');
  const format = recordFileFormat(file.fsPath);
  const written = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Exporting records of ${topic}`,
      cancellable: true,
    },
    (progress, token) => write(tail, { path: file.fsPath, format, all }, { progress, token }),
  );
  const choice = await vscode.window.showInformationMessage(
    `${groupThousands(written)} records written to ${file.fsPath}`,
    'Open',
  );
  if (choice) await vscode.window.showTextDocument(file);
}

/** Undefined: the person thought better of it. */
async function askWhich(tail: Tail): Promise<boolean | undefined> {
  const shown = { label: 'What is shown', description: groupThousands(tail.progress.held) };
  const all = { label: 'All that is held', description: 'without the filter' };
  const chosen = await vscode.window.showQuickPick([shown, all], { title: 'Export' });
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
