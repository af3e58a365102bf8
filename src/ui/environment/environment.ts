import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embeddedCluster.ts';
import { onDidChangeSetting, setting } from '../settings.ts';
import { ChosenCluster } from './chosenCluster.ts';
import { DebugEnvironment } from './debugEnvironment.ts';
import { setTerminalEnvironment } from './terminalEnvironment.ts';

export interface EnvironmentOptions {
  readonly collection: vscode.GlobalEnvironmentVariableCollection;
  readonly registry: ClusterRegistry;
  readonly embedded: EmbeddedCluster;
  /** Resolves once an embedded cluster that was left running is found again, or there is none. */
  readonly attached: Promise<void>;
}

/** Keeps the editor's terminals and debug sessions told of the chosen cluster's address. */
export class Environment extends DisposableStore {
  constructor({ collection, registry, embedded, attached }: EnvironmentOptions) {
    super();
    const chosen = this.add(
      new ChosenCluster({
        registry,
        embedded,
        choice: () => setting('environment.cluster'),
        onDidChangeChoice: (changed) => onDidChangeSetting(['environment.cluster'], changed),
      }),
    );
    const tell = (): void => setTerminalEnvironment(collection, chosen.address);
    tell();
    this.add(chosen.onDidChange(tell));
    const provider = new DebugEnvironment(async () => {
      await attached;
      return chosen.address;
    });
    this.add(vscode.debug.registerDebugConfigurationProvider('*', provider));
  }
}
