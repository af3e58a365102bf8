import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import { commandId } from '../contributions.ts';
import type { LagWatches } from './lagWatches.ts';

/** The groups that are watched, in the status bar: nothing is asked of a cluster unseen. */
export class LagStatus extends DisposableStore {
  readonly #watches: LagWatches;
  readonly #item: vscode.StatusBarItem;

  constructor(watches: LagWatches) {
    super();
    this.#watches = watches;
    this.#item = this.add(
      vscode.window.createStatusBarItem('kafkaWorkbench.lag', vscode.StatusBarAlignment.Left, 9),
    );
    this.#item.name = t('Kafka Workbench: watched lag');
    this.#item.command = commandId('watchedLag');
    this.add(watches.onDidChange(() => this.#show()));
  }

  #show(): void {
    const { watched } = this.#watches;
    const behind = watched.filter(({ isAlarmed }) => isAlarmed);
    const named = behind.length > 0 ? behind : watched;
    const [first] = named;
    if (!first) {
      this.#item.hide();
      return;
    }
    const { group } = first.subject;
    const more = named.length > 1 ? ` +${named.length - 1}` : '';
    this.#item.text = `$(${behind.length > 0 ? 'warning' : 'graph-line'}) ${group}${more}`;
    const names = named.map(({ subject }) => subject.group).join(', ');
    const label =
      behind.length > 0
        ? t('Behind by more than is watched for: {0}', names)
        : t('Lag is watched: {0}', names);
    this.#item.tooltip = label;
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#item.backgroundColor =
      behind.length > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }
}
