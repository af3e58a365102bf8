import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import { clustersViewId, commandId } from '../contributions.ts';
import { onDidChangeSetting, setting } from '../settings.ts';
import type { ClustersModel } from './clustersModel.ts';
import { describe } from './describe.ts';
import { HealthDecorations, healthUri } from './healthDecorations.ts';
import { KeptSelection } from './keptSelection.ts';
import { LiveRefresh } from './liveRefresh.ts';
import { TopicDrops } from './topicDrops.ts';
import type { TreeCell } from './node.ts';
import type { RowText, Tooltip } from './rowText.ts';

/** Rows that are handed to the editor in one turn of the event loop: it takes some 20 microseconds for each. */
const rowsInTurn = 250;

/** Maps the model's rows to the editor's. */
export class ClustersProvider implements vscode.TreeDataProvider<TreeCell> {
  readonly #model: ClustersModel;
  /** How many rows were handed over in this turn of the event loop, and when the next one comes. */
  #turn: { rows: number; readonly next: Promise<unknown> } | undefined;
  readonly onDidChangeTreeData: Event<TreeCell[] | undefined>;
  readonly #replacedEmitter = new Emitter<{ readonly cell: TreeCell; readonly isUp: boolean }>();
  /** A cluster's row has become another one to the editor: there are rows below it now, or no longer. */
  readonly onDidReplace = this.#replacedEmitter.event;
  readonly #isUp = new WeakMap<TreeCell, boolean>();

  constructor(model: ClustersModel) {
    this.#model = model;
    this.onDidChangeTreeData = model.onDidChange;
  }

  /** A long list is handed over in parts, so that nothing else in the extension host waits for all of it. */
  getTreeItem(cell: TreeCell): vscode.TreeItem | Promise<vscode.TreeItem> {
    this.#turn ??= { rows: 0, next: this.#nextTurn() };
    if (this.#turn.rows++ < rowsInTurn) return this.#treeItem(cell);
    return this.#turn.next.then(() => this.getTreeItem(cell));
  }

  #treeItem(cell: TreeCell): vscode.TreeItem {
    const row = describe(cell.node);
    const isUp = row.expands !== false;
    if (cell.node.kind === 'cluster') {
      const wasUp = this.#isUp.get(cell);
      this.#isUp.set(cell, isUp);
      if (wasUp !== undefined && wasUp !== isUp) this.#replacedEmitter.fire({ cell, isUp });
    }
    // What was open when the cluster stopped is open when it is there again.
    return treeItem(cell, row, isUp && this.#model.isOpen(cell));
  }

  async #nextTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#turn = undefined;
  }

  /** The tooltip is made when the pointer rests on a row, not for each of thousands. */
  async resolveTreeItem(
    item: vscode.TreeItem,
    cell: TreeCell,
    token: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    const controller = new AbortController();
    const subscription = token.onCancellationRequested(() => controller.abort());
    const tooltip = await this.#model.tooltip(cell, controller.signal);
    subscription.dispose();
    if (tooltip) item.tooltip = tooltipOf(tooltip);
    return item;
  }

  async getChildren(cell?: TreeCell): Promise<TreeCell[]> {
    return [...(await this.#model.children(cell))];
  }

  getParent(cell: TreeCell): TreeCell | undefined {
    return cell.parent;
  }
}

function treeItem(cell: TreeCell, row: RowText, isOpen: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, collapsibleState(row, isOpen));
  item.id = itemId(cell, row);
  item.contextValue = row.context;
  if (row.description !== undefined) item.description = row.description;
  if (row.icon) item.iconPath = icon(row);
  if (row.health) item.resourceUri = healthUri(cell.id, row.health);
  if (row.onClick) {
    item.command = { command: commandId(row.onClick), title: row.label, arguments: [cell] };
  }
  item.accessibilityInformation = {
    label: row.spoken ?? [row.label, row.description ?? ''].filter(Boolean).join(', '),
  };
  return item;
}

/**
 * The editor takes a row's first state for good: a cluster that is stopped when first seen would stay closed
 * when it runs. So a cluster with nothing below it is another row to the editor than one with something.
 */
function itemId(cell: TreeCell, row: RowText): string {
  return cell.node.kind === 'cluster' && !row.expands ? `${cell.id}#` : cell.id;
}

function collapsibleState({ expands }: RowText, isOpen: boolean): vscode.TreeItemCollapsibleState {
  if (!expands) return vscode.TreeItemCollapsibleState.None;
  return expands === 'open' || isOpen
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}

function icon(row: RowText): vscode.ThemeIcon {
  return new vscode.ThemeIcon(
    row.icon ?? 'blank',
    row.iconColor ? new vscode.ThemeColor(row.iconColor) : undefined,
  );
}

function tooltipOf(lines: Tooltip): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  let inTable = false;
  for (const line of lines) {
    if (typeof line === 'string') {
      // A line right below a table is a row of it.
      if (inTable) markdown.appendMarkdown('\n');
      markdown.appendText(line).appendMarkdown('\n\n');
      inTable = false;
      continue;
    }
    if (!inTable) markdown.appendMarkdown('\n\n| | |\n|:--|--:|\n');
    inTable = true;
    markdown.appendMarkdown(`| ${inName(line[0])} | ${inCell(line[1])} |\n`);
  }
  return markdown;
}

/** Text for a Markdown table's cell: names come from other people's clusters. */
function inCell(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&]/g, '\\$&').replace(/\s+/g, ' ');
}

/** A long value takes the room of the names: in one line they are still the same column. */
function inName(text: string): string {
  return inCell(text).replaceAll(' ', '\u00a0');
}

/** The Clusters view: the tree, its live refresh and its welcome content. */
export class ClustersView extends DisposableStore {
  readonly #model: ClustersModel;
  readonly #drops = new TopicDrops();
  readonly tree: vscode.TreeView<TreeCell>;
  /** Something was dropped on a topic or a partition. */
  readonly onDidDrop = this.#drops.onDidDrop;

  constructor(model: ClustersModel) {
    super();
    this.#model = model;
    const provider = new ClustersProvider(model);
    this.tree = this.add(
      vscode.window.createTreeView(clustersViewId, {
        treeDataProvider: provider,
        showCollapseAll: true,
        canSelectMany: true,
        dragAndDropController: this.#drops,
      }),
    );
    const kept = this.add(new KeptSelection(this.tree));
    this.add(provider.onDidReplace(({ cell, isUp }) => void kept.onReplaced(cell, isUp)));
    this.add(this.tree.onDidExpandElement(({ element }) => model.setOpen(element, true)));
    this.add(this.tree.onDidCollapseElement(({ element }) => model.setOpen(element, false)));
    const live = this.add(
      new LiveRefresh({
        clock: systemClock,
        intervalMs: () => setting('tree.refreshSeconds') * 1000,
        refresh: () => model.refresh(),
      }),
    );
    live.setVisible(this.tree.visible);
    this.add(this.tree.onDidChangeVisibility(({ visible }) => live.setVisible(visible)));
    this.add(onDidChangeSetting(['tree.refreshSeconds'], () => live.reschedule()));
    this.add(
      onDidChangeSetting(['tree.showInternalTopics', 'tree.lagThreshold'], () => model.redraw()),
    );
    this.add(vscode.window.registerFileDecorationProvider(new HealthDecorations()));
    this.add(model.onDidChange(() => this.#showTroubles()));
  }

  /** Counts what is in trouble on the icon of the view, which is seen when the view is not. */
  #showTroubles(): void {
    const value = this.#model.troubleCount;
    if (value === (this.tree.badge?.value ?? 0)) return;
    const tooltip = t('{0} in trouble: offline, under-replicated or lagging', value);
    this.tree.badge = value ? { value, tooltip } : undefined;
  }

  get selection(): readonly TreeCell[] {
    return this.tree.selection;
  }

  /** Opens the row of an id, and shows it, if the tree has it. */
  async reveal(id: string, options: { expand?: boolean; select?: boolean } = {}): Promise<void> {
    const cell = this.#model.cell(id);
    if (cell) await this.tree.reveal(cell, { select: false, focus: false, ...options });
  }
}
