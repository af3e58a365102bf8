import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Tails } from '../../cluster/tail/tails.ts';
import { tailState } from '../../shared/contracts/tail.ts';
import type { PanelContext, PanelKind } from './panelHost.ts';
import type { OpenProduce } from './produceSubject.ts';
import type { RecordComparison } from './recordComparison.ts';
import { tailKey, type TailSubject, tailTitle } from './tailSubject.ts';

/** The tail panel: one for each cluster, topic and set of partitions. */
export function tailPanel(
  context: PanelContext,
  { openProduce, comparison }: { openProduce: OpenProduce; comparison: RecordComparison },
): PanelKind<TailSubject> {
  // One worker for all tail panels of the window; closing the last of them ends it.
  let tails: Tails | undefined;
  return {
    name: 'tail',
    state: tailState,
    restore: (state) => {
      const { cluster, topic, partitions, from, scope, filter, within } = v.parse(tailState, state);
      const profile = context.registry.profile(cluster.id);
      const some = partitions.length > 0 && { partitions };
      return profile && { cluster: profile, topic, ...some, from, scope, filter, within };
    },
    title: (subject) => tailTitle(subject),
    key: ({ cluster, topic, partitions }) => tailKey(cluster, topic, partitions),
    staysAsItIs: ({ isFresh = false }) => isFresh,
    load: async () => {
      const [{ TailServer }, cluster] = await Promise.all([
        import('./tailServer.ts'),
        import('../../cluster/tail/tails.ts'),
      ]);
      const file = (name: string): string =>
        vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
      const files = { workerPath: file('worker.js'), quickjsWasmPath: file('quickjs.wasm') };
      const shared = (tails ??= new cluster.Tails({ files, logger: context.log }));
      const of = { context, tails: shared, openProduce, comparison };
      return (panel, subject) => new TailServer({ ...of, panel }, subject);
    },
  };
}
