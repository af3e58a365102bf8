import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { ActivityEntry } from '../../cluster/activity/activityEntry.ts';
import type { ActivityLog } from '../../cluster/activity/activityLog.ts';
import { activityViewId, contextKeys } from '../contributions.ts';
import { ActivityList, type ActivityRow } from './activityList.ts';
import { entryRow } from './activityRow.ts';
import { dayOf, dayWords } from './activityTime.ts';
import { factLines, stateWords, titleOf } from './activityWords.ts';
import { DrawnRows } from './drawnRows.ts';

/** "3 min ago" is looked at again so often. */
const agingMs = 30_000;
/** A tooltip names so many partitions; the rows below have all. */
const partitionsInTooltip = 20;

/** The view of what ran and what it changed. */
export class ActivityView extends DisposableStore implements vscode.TreeDataProvider<ActivityRow> {
  readonly #log: ActivityLog;
  readonly #list: ActivityList;
  readonly #tree: vscode.TreeView<ActivityRow>;
  readonly #drawn = new DrawnRows<ActivityRow>();
  readonly #changeEmitter = this.add(new vscode.EventEmitter<ActivityRow[] | undefined>());
  readonly onDidChangeTreeData = this.#changeEmitter.event;
  #aging: NodeJS.Timeout | undefined;

  constructor(log: ActivityLog) {
    super();
    this.#log = log;
    this.#list = new ActivityList(log);
    this.#tree = this.add(
      vscode.window.createTreeView(activityViewId, {
        treeDataProvider: this,
        canSelectMany: true,
        showCollapseAll: true,
      }),
    );
    this.add(log.onDidChange((id) => this.#redraw(id)));
    this.add(this.#tree.onDidChangeVisibility(() => this.#follow()));
    // What other windows have done meanwhile.
    this.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#follow()));
    this.add({ dispose: () => clearInterval(this.#aging) });
    this.#follow();
  }

  get selection(): readonly ActivityRow[] {
    return this.#tree.selection;
  }

  /** The entries that match the filter, the newest first. */
  get shown(): readonly ActivityEntry[] {
    return this.#list.shown;
  }

  get filter(): string {
    return this.#list.filter;
  }

  set filter(text: string) {
    this.#list.filter = text;
    this.#tree.description = text;
    const isFiltered = text !== '';
    void vscode.commands.executeCommand('setContext', contextKeys.activityFiltered, isFiltered);
    this.#redraw();
  }

  getChildren(row?: ActivityRow): ActivityRow[] {
    return this.#list.children(row);
  }

  getParent(row: ActivityRow): ActivityRow | undefined {
    return this.#list.parent(row);
  }

  getTreeItem(row: ActivityRow): vscode.TreeItem {
    const item = this.#item(row);
    item.id = row.id;
    this.#drawn.drawn(row, wordsOf(item));
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, row: ActivityRow): vscode.TreeItem {
    const entry = row.kind === 'entry' ? this.#log.entry(row.activityId) : undefined;
    if (entry) item.tooltip = tooltipOf(entry).join('\n');
    return item;
  }

  #item(row: ActivityRow): vscode.TreeItem {
    return row.kind === 'entry' ? this.#entryItem(row.activityId) : plainItem(row);
  }

  #entryItem(id: string): vscode.TreeItem {
    const entry = this.#log.entry(id);
    if (!entry) return new vscode.TreeItem('');
    const state = { nowMs: Date.now(), isRunningHere: this.#log.isRunningHere(id) };
    const { label, description, icon, iconColor, spoken, context, hasChildren } = entryRow(
      entry,
      state,
    );
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(label, hasChildren ? Collapsed : None);
    item.description = description;
    item.contextValue = context;
    item.iconPath = new vscode.ThemeIcon(
      icon,
      iconColor === undefined ? undefined : new vscode.ThemeColor(iconColor),
    );
    item.accessibilityInformation = { label: spoken };
    return item;
  }

  /**
   * A list drawn anew takes its rows from under a menu that is open: until the editor has asked for them again, it
   * calls the menu's command without one. A row that is drawn anew stays the row that it was.
   */
  #redraw(id?: string): void {
    const row = id === undefined ? undefined : this.#list.row(id);
    // What an entry says by now may be what the filter asks for, or no longer.
    if (id === undefined || this.filter !== '') this.#changeEmitter.fire(undefined);
    else if (row) this.#changeEmitter.fire([row]);
  }

  #redrawOutdated(): void {
    const rows = this.#drawn.outdated(this.#list.rows, (row) => wordsOf(this.#item(row)));
    if (rows.length > 0) this.#changeEmitter.fire(rows);
  }

  #follow(): void {
    clearInterval(this.#aging);
    this.#aging = undefined;
    if (!this.#tree.visible) return;
    this.#redrawOutdated();
    void this.#log.load();
    this.#aging = setInterval(() => this.#redrawOutdated(), agingMs);
  }
}

/** All that a row says, seen or read aloud. */
function wordsOf({ label, description, accessibilityInformation }: vscode.TreeItem): string {
  return JSON.stringify([label, description, accessibilityInformation?.label]);
}

function tooltipOf(entry: ActivityEntry): string[] {
  // Of what failed the reason is among the facts.
  const state = entry.state === 'failed' ? undefined : stateWords(entry);
  return [
    titleOf(entry),
    ...(state === undefined ? [] : [t('State: {0}', state)]),
    ...factLines(entry, partitionsInTooltip),
  ];
}

function plainItem(row: Exclude<ActivityRow, { kind: 'entry' }>): vscode.TreeItem {
  if (row.kind === 'fact') {
    const item = new vscode.TreeItem(row.text);
    item.contextValue = 'fact';
    return item;
  }
  const isToday = row.day === dayOf(Date.now());
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const label = dayWords(row.day, Date.now());
  const item = new vscode.TreeItem(label, isToday ? Expanded : Collapsed);
  item.contextValue = 'day';
  item.accessibilityInformation = { label: t('Activity of {0}', label) };
  return item;
}
