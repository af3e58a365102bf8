import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/event.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { ClustersModel } from '../../src/ui/trees/clustersModel.ts';
import { describe } from '../../src/ui/trees/describe.ts';
import type { TreeCell } from '../../src/ui/trees/node.ts';
import { OpenRows } from '../../src/ui/trees/openRows.ts';
import { TreeChoices } from '../../src/ui/trees/treeChoices.ts';
import { FakeMemento } from '../unit/ui/trees/fakeCluster.ts';

/** The tree over a session, as the view drives it. */
export class Tree {
  readonly session: ClusterSession;
  readonly choices = new TreeChoices(new FakeMemento());
  readonly model: ClustersModel;
  readonly list: { readonly clusterId: string; readonly kind: 'topics' };

  constructor(session: ClusterSession) {
    this.session = session;
    this.list = { clusterId: session.profile.id, kind: 'topics' };
    this.model = new ClustersModel({
      registry: {
        profiles: [session.profile],
        session: () => session,
        onDidChange: new Emitter<void>().event,
      },
      embedded: {
        state: { kind: 'stopped' },
        onDidChangeState: new Emitter<never>().event,
      },
      settings: () => ({ showInternalTopics: false, lagThreshold: 1000 }),
      choices: this.choices,
      openRows: new OpenRows(new FakeMemento()),
      isEmbeddedShown: () => true,
    });
  }

  /** Opens rows by label, from the top, and answers with the rows below the last. */
  async open(...labels: readonly string[]): Promise<readonly TreeCell[]> {
    let cells = await this.model.children(undefined);
    for (const label of labels) {
      const cell = cells.find(({ node }) => describe(node).label === label);
      assert.ok(cell, `a row ${label}`);
      cells = await this.model.children(cell);
    }
    return cells;
  }

  dispose(): void {
    this.model.dispose();
    this.session.dispose();
  }
}
