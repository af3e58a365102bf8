/** A payload that a page has only the first part of, taken whole: to the clipboard, an editor or a file. */
import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ChangeLog } from '../../cluster/activity/changeLog.ts';
import type { Tail } from '../../cluster/tail/tails.ts';
import type { DecodedPayload, RecordDetails } from '../../shared/contracts/recordDetails.ts';
import type { TakenPart } from '../../shared/contracts/tail.ts';
import { isJsonContainer } from '../../shared/jsonLayout.ts';
import { payloadInForm } from './payloadInForm.ts';
import { readRecord } from './tailRecord.ts';
import type { TailSubject } from './tailSubject.ts';

interface Taking {
  readonly tail: Tail | undefined;
  readonly subject: TailSubject;
  readonly changes: ChangeLog;
}

export async function takePart(of: Taking, part: TakenPart, signal: AbortSignal): Promise<void> {
  const record = await readRecord(of.tail, part.record, signal);
  if (part.of === 'record') {
    await vscode.env.clipboard.writeText(JSON.stringify(record, undefined, 2));
    return;
  }
  const payload = payloadOf(record, part.of);
  const text = (): string => payloadInForm(payload.bytes ?? '', payload.decoded, part.form);
  if (part.to === 'file') await save(of, record, payload);
  else if (part.to === 'editor') await openInEditor(text());
  else await vscode.env.clipboard.writeText(text());
}

interface Payload {
  /** For the name of a file. */
  readonly name: string;
  readonly bytes: string | null;
  readonly decoded: DecodedPayload;
}

function payloadOf(record: RecordDetails, of: Exclude<TakenPart['of'], 'record'>): Payload {
  if (of === 'key') return { name: of, bytes: record.key, decoded: record.decodedKey };
  if (of === 'value') return { name: of, bytes: record.value, decoded: record.decodedValue };
  const header = record.headers[of.header];
  const name = `header-${of.header + 1}`;
  return { name, bytes: header?.value ?? null, decoded: header?.decoded };
}

async function openInEditor(text: string): Promise<void> {
  const language = isJsonContainer(text) ? 'json' : 'plaintext';
  const document = await vscode.workspace.openTextDocument({ content: text, language });
  await vscode.window.showTextDocument(document);
}

/** Its bytes as they are. */
async function save(
  { subject: { cluster, topic }, changes }: Taking,
  record: RecordDetails,
  payload: Payload,
): Promise<void> {
  const bytes = Buffer.from(payload.bytes ?? '', 'base64');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const end = isUtf8(bytes) ? 'txt' : 'bin';
  const name = `${topic}-${record.partition}@${record.offset}-${payload.name}.${end}`;
  const uri = await vscode.window.showSaveDialog({
    title: t('Save the bytes of this record'),
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (!uri) return;
  const change = { kind: 'exportRecords', topic, file: uri.toString() } as const;
  await changes.run({ cluster, change }, async () => {
    await vscode.workspace.fs.writeFile(uri, bytes);
  });
}
