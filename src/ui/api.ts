import * as vscode from 'vscode';
import type { ClustersModel } from './trees/clustersModel.ts';
import { ClustersProvider } from './trees/clustersView.ts';
import type { Workbench } from './workbench.ts';

/** What other extensions, and debug configurations through them, can ask of this one. */
export interface WorkbenchApi {
  /** Goes up when something here changes its meaning. */
  readonly apiVersion: 1;
  readonly embedded: {
    /** `host:port` while the embedded cluster runs. */
    readonly bootstrap: string | undefined;
    /** Starts it, or finds it running; resolves with its address once clients can connect. */
    start(): Promise<string>;
    /** Fires with the address when it starts and with undefined when it ends. */
    readonly onDidChangeBootstrap: vscode.Event<string | undefined>;
  };
  /** Only in this extension's own tests. */
  readonly internals?: {
    readonly model: ClustersModel;
    readonly provider: ClustersProvider;
    readonly workbench: Workbench;
  };
}

export function makeApi(workbench: Workbench): WorkbenchApi {
  const { embedded, model } = workbench;
  const bootstrap = (): string | undefined =>
    embedded.state.kind === 'running' ? embedded.state.bootstrap : undefined;
  const changes = workbench.add(new vscode.EventEmitter<string | undefined>());
  let last = bootstrap();
  workbench.add(
    embedded.onDidChangeState(() => {
      if (bootstrap() !== last) changes.fire((last = bootstrap()));
    }),
  );
  const isTest = workbench.context.extensionMode === vscode.ExtensionMode.Test;
  return {
    apiVersion: 1,
    embedded: {
      get bootstrap() {
        return bootstrap();
      },
      start: () => embedded.start(),
      onDidChangeBootstrap: changes.event,
    },
    ...(isTest && { internals: { model, provider: new ClustersProvider(model), workbench } }),
  };
}
