/** The offsets panel's ways out of the editor: Kafka's CSV files, and the command that does the same. */
import path from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { readOffsetCsv, writeOffsetCsv } from '../../cluster/offsets/offsetCsv.ts';
import type { ChangeLog } from '../../cluster/activity/changeLog.ts';
import { ProblemError } from '../../cluster/problems.ts';
import type { OffsetsSubject } from './offsetsSubject.ts';
import type { GivenOffset } from '../../shared/contracts/offsets.ts';

const filters = (): Record<string, string[]> => ({ CSV: ['csv'], [t('All files')]: ['*'] });
const largestFile = 64 * 1024 * 1024;

/** Asks for a file and reads it; undefined where the person chose none. */
export async function importOffsets(
  group: string,
): Promise<
  { readonly offsets: GivenOffset[]; readonly file: string; readonly note?: string } | undefined
> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: t('Offsets of {0}, from kafka-consumer-groups --export', group),
      openLabel: t('Import'),
      filters: filters(),
    })) ?? [];
  if (!uri) return undefined;
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > largestFile) throw new ProblemError(t('The file is larger than 64 MB'));
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const { offsets, otherGroups } = readOffsetCsv(text, group);
  const others = otherGroups.slice(0, 5).join(', ');
  const left = otherGroups.length > 5 ? t('{0} and others', others) : others;
  return {
    offsets: offsets.map((of) => ({ ...of, offset: of.offset.toString() })),
    file: path.posix.basename(uri.path),
    ...(otherGroups.length > 0 && { note: t("The file's lines of {0} are left out.", left) }),
  };
}

/** Asks where to, and writes; nothing happens where the person chooses no place. */
export async function exportOffsets(
  { cluster, group, changes }: OffsetsSubject & { readonly changes: ChangeLog },
  offsets: readonly GivenOffset[],
): Promise<void> {
  const name = `${group.replace(/[^\w.-]+/g, '_').slice(0, 100)}-offsets.csv`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: t('Export offsets of {0} for kafka-consumer-groups --from-file', group),
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: filters(),
  });
  if (!uri) return;
  const text = writeOffsetCsv(offsets.map((of) => ({ ...of, offset: BigInt(of.offset) })));
  const change = { kind: 'exportOffsets', group, file: uri.toString() } as const;
  await changes.run({ cluster, change }, async () => {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  });
  vscode.window.setStatusBarMessage(
    t('Exported to {0}', vscode.workspace.asRelativePath(uri)),
    3000,
  );
}
