import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { t } from '../base/l10n.ts';
import type { EmbeddedCluster } from '../cluster/embedded/embeddedCluster.ts';
import type { EmbeddedState } from '../cluster/embedded/embeddedState.ts';
import { commandId } from './contributions.ts';

const usedKey = 'kafkaWorkbench.embeddedUsedHere';

/**
 * The embedded cluster's state and address. Shown once it has been anything but stopped in this window, also after a
 * reload of it.
 */
export class StatusBar extends DisposableStore {
  readonly #item: vscode.StatusBarItem;
  readonly #memento: vscode.Memento;

  constructor(embedded: EmbeddedCluster, memento: vscode.Memento) {
    super();
    this.#memento = memento;
    this.#item = this.add(
      vscode.window.createStatusBarItem(
        'kafkaWorkbench.embedded',
        vscode.StatusBarAlignment.Left,
        10,
      ),
    );
    this.#item.name = t('Kafka Workbench: embedded cluster');
    this.#item.command = commandId('embeddedActions');
    this.#show(embedded.state);
    this.add(embedded.onDidChangeState((state) => this.#show(state)));
  }

  #show(state: EmbeddedState): void {
    const { text, tooltip, isError = false } = looks(state);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: tooltip, role: 'button' };
    this.#item.backgroundColor = isError
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : undefined;
    const wasUsed = this.#memento.get<boolean>(usedKey, false);
    const isUsed = state.kind !== 'stopped';
    if (isUsed && !wasUsed) void this.#memento.update(usedKey, true);
    if (isUsed || wasUsed) this.#item.show();
  }
}

function looks(state: EmbeddedState): { text: string; tooltip: string; isError?: boolean } {
  switch (state.kind) {
    case 'stopped':
      return {
        text: `$(circle-outline) ${t('Kafka stopped')}`,
        tooltip: t('Embedded Kafka cluster: stopped. Click for what can be done.'),
      };
    case 'starting':
      return {
        text: `$(loading~spin) ${t('Kafka starting')}`,
        tooltip: t('Embedded Kafka cluster: starting'),
      };
    case 'running':
      return {
        text: `$(circle-filled) Kafka ${state.bootstrap}`,
        tooltip: t(
          'Embedded Kafka cluster: running on {0}. Click for what can be done.',
          state.bootstrap,
        ),
      };
    case 'stopping':
      return {
        text: `$(loading~spin) ${t('Kafka stopping')}`,
        tooltip: t('Embedded Kafka cluster: stopping'),
      };
    case 'crashed':
      return {
        text: `$(error) ${t('Kafka crashed')}`,
        tooltip: t('Embedded Kafka cluster: crashed. {0}', state.message),
        isError: true,
      };
  }
}
