import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event.ts';
import {
  type DraggedRecord,
  readDraggedRecord,
  recordMimeType,
} from '../../shared/contracts/recordDrag.ts';
import type { NodeOf, TreeCell } from './node.ts';

/** What was dropped on a topic or on one of its partitions. */
export interface Drop {
  readonly on: NodeOf<'topic' | 'partition'>;
  readonly what:
    { readonly file: vscode.Uri } | { readonly text: string } | { readonly record: DraggedRecord };
}

const uris = 'text/uri-list';
const plain = 'text/plain';

/** Rows go out as their names; files, text and records of a tail come in on topics. */
export class TopicDrops implements vscode.TreeDragAndDropController<TreeCell> {
  readonly dragMimeTypes = [plain];
  readonly dropMimeTypes = [recordMimeType, uris, plain, 'files'];
  readonly #dropEmitter = new Emitter<Drop>();
  readonly onDidDrop: Event<Drop> = this.#dropEmitter.event;
  #dragged: string | undefined;

  handleDrag(cells: readonly TreeCell[], transfer: vscode.DataTransfer): void {
    const names = cells.flatMap(({ node }) => draggedName(node) ?? []);
    this.#dragged = names.join('\n');
    if (names.length) transfer.set(plain, new vscode.DataTransferItem(this.#dragged));
  }

  async handleDrop(target: TreeCell | undefined, transfer: vscode.DataTransfer): Promise<void> {
    const on = target?.node;
    if (on?.kind !== 'topic' && on?.kind !== 'partition') return;
    const what = await dropped(transfer);
    // A row that slipped from the hand is nothing to send.
    if (!what || ('text' in what && what.text === this.#dragged)) return;
    this.#dropEmitter.fire({ on, what });
  }
}

function draggedName(node: TreeCell['node']): string | undefined {
  if (node.kind === 'topic') return node.topic.name;
  if (node.kind === 'group') return node.group.groupId;
  return node.kind === 'broker' ? `${node.broker.host}:${node.broker.port}` : undefined;
}

async function dropped(transfer: vscode.DataTransfer): Promise<Drop['what'] | undefined> {
  const record = readDraggedRecord(await textOf(transfer, recordMimeType));
  if (record) return { record };
  const lines = (await textOf(transfer, uris)).split(/\r?\n/);
  // What else has an address, such as a page, has no path here: its path would name another file.
  const uri = lines.find((line) => /^(?:file|vscode-remote):/i.test(line));
  if (uri !== undefined) return { file: vscode.Uri.parse(uri, true) };
  for (const [, item] of transfer) {
    const file = item.asFile();
    if (file?.uri) return { file: file.uri };
    // From the desktop into an editor in a browser: there is no path to it.
    if (file) return { text: Buffer.from(await file.data()).toString('utf8') };
  }
  const text = await textOf(transfer, plain);
  return text === '' ? undefined : { text };
}

async function textOf(transfer: vscode.DataTransfer, type: string): Promise<string> {
  return (await transfer.get(type)?.asString()) ?? '';
}
