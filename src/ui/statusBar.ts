import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import type { EmbeddedCluster, EmbeddedState } from '../cluster/embeddedCluster.ts';
import { commandId } from './contributions.ts';

/** The embedded cluster's state and address. Shown once it has been anything but stopped in this window. */
export class StatusBar extends DisposableStore {
  readonly #item: vscode.StatusBarItem;

  constructor(embedded: EmbeddedCluster) {
    super();
    this.#item = this.add(
      vscode.window.createStatusBarItem(
        'kafkaWorkbench.embedded',
        vscode.StatusBarAlignment.Left,
        10,
      ),
    );
    this.#item.name = 'Kafka Workbench: embedded cluster';
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
    if (state.kind !== 'stopped') this.#item.show();
  }
}

function looks(state: EmbeddedState): { text: string; tooltip: string; isError?: boolean } {
  switch (state.kind) {
    case 'stopped':
      return {
        text: '$(circle-outline) Kafka stopped',
        tooltip: 'Embedded Kafka cluster: stopped. Click for what can be done.',
      };
    case 'starting':
      return {
        text: '$(loading~spin) Kafka starting',
        tooltip: 'Embedded Kafka cluster: starting',
      };
    case 'running':
      return {
        text: `$(circle-filled) Kafka ${state.bootstrap}`,
        tooltip: `Embedded Kafka cluster: running on ${state.bootstrap}. Click for what can be done.`,
      };
    case 'stopping':
      return {
        text: '$(loading~spin) Kafka stopping',
        tooltip: 'Embedded Kafka cluster: stopping',
      };
    case 'crashed':
      return {
        text: '$(error) Kafka crashed',
        tooltip: `Embedded Kafka cluster: crashed. ${state.message}`,
        isError: true,
      };
  }
}
