import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { Emitter } from '../../../../src/base/event.ts';
import { KeptSelection } from '../../../../src/ui/trees/keptSelection.ts';
import type { TreeCell } from '../../../../src/ui/trees/node.ts';

const cell = (id: string, parent?: TreeCell): TreeCell =>
  ({ id, parent, children: undefined }) as unknown as TreeCell;

describe('The selection of a cluster that stops and starts', () => {
  const cluster = cell('embedded');
  const topic = cell('orders', cell('topics', cluster));
  let emitter: Emitter<{ selection: readonly TreeCell[] }>;
  let revealed: string[];
  let visible: boolean;
  let kept: KeptSelection;
  const select = (...selection: TreeCell[]): void => emitter.fire({ selection });

  beforeEach(() => {
    emitter = new Emitter();
    revealed = [];
    visible = true;
    kept = new KeptSelection({
      get visible() {
        return visible;
      },
      onDidChangeSelection: emitter.event,
      reveal: (shown) => {
        revealed.push(shown.id);
        select(shown);
      },
    });
  });

  it('is its row while it is stopped, and the row that was selected once it runs', async () => {
    select(topic);
    select();
    await kept.onReplaced(cluster, false);
    await kept.onReplaced(cluster, true);
    assert.deepEqual(revealed, ['embedded', 'orders']);
  });

  it('stays where a person has selected a row of another cluster', async () => {
    select(topic);
    select(cell('staging'));
    await kept.onReplaced(cluster, true);
    assert.deepEqual(revealed, []);
  });

  it('shows no view that nobody looks at', async () => {
    select(topic);
    visible = false;
    await kept.onReplaced(cluster, true);
    assert.deepEqual(revealed, []);
  });
});
