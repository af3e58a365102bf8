import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { commandId, savedViewId } from '../contributions.ts';
import type { SavedDraft, SavedDrafts } from '../savedDrafts.ts';

/** A row of the view. Commands get it back and look its record up by the name. */
export interface SavedRow {
  readonly savedName: string;
}

const shownCharacters = 500;

/** The view of records that were kept to be sent again. */
export class SavedView extends DisposableStore implements vscode.TreeDataProvider<SavedRow> {
  readonly #drafts: SavedDrafts;
  readonly #changeEmitter = this.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changeEmitter.event;

  constructor(drafts: SavedDrafts) {
    super();
    this.#drafts = drafts;
    this.add(drafts.onDidChange(() => this.#changeEmitter.fire(undefined)));
    this.add(
      vscode.window.createTreeView(savedViewId, { treeDataProvider: this, canSelectMany: true }),
    );
  }

  getChildren(): SavedRow[] {
    return this.#drafts.all.map(({ name }) => ({ savedName: name }));
  }

  getTreeItem(row: SavedRow): vscode.TreeItem {
    const item = new vscode.TreeItem(row.savedName);
    const { draft } = this.#drafts.all.find(({ name }) => name === row.savedName) ?? {};
    item.id = row.savedName;
    item.contextValue = 'saved';
    item.iconPath = new vscode.ThemeIcon('mail');
    if (draft) item.description = t('to {0}', draft.topic);
    item.command = {
      command: commandId('produceSaved'),
      title: t('Produce a saved record'),
      arguments: [row],
    };
    item.accessibilityInformation = {
      label: t('Saved record {0}, to {1}', row.savedName, draft?.topic ?? ''),
    };
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, row: SavedRow): vscode.TreeItem {
    const saved = this.#drafts.all.find(({ name }) => name === row.savedName);
    if (saved) item.tooltip = tooltipOf(saved);
    return item;
  }
}

function tooltipOf({ name, draft }: SavedDraft): string {
  const text = (input: SavedDraft['draft']['key']): string =>
    input.kind === 'null' ? t('null') : input.text.slice(0, shownCharacters);
  return [
    name,
    t('Topic: {0}', draft.topic),
    t('Key: {0}', text(draft.key)),
    t('Value: {0}', text(draft.value)),
  ].join('\n');
}
