import path from 'node:path';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { embeddedStatus } from './controlObserver.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');

export interface EditorWithBoth {
  readonly editor: Editor;
  readonly window: EditorWindow;
  readonly view: ClustersView;
  /** Where applications find the clusters. */
  readonly bootstrap: { readonly embedded: string; readonly real: string };
}

/** An editor in which the embedded cluster runs, and that is connected to a real Apache Kafka 4.4 as `real`. */
export async function openEditorWithBoth(
  settings: Readonly<Record<string, number | boolean>>,
): Promise<EditorWithBoth> {
  const [{ bootstrap: real }, editor] = await Promise.all([
    sharedKafka(),
    startEditor({ vsix, settings: { 'kafkaWorkbench.embedded.port': 0, ...settings } }),
  ]);
  const window = await editor.open();
  await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const view = new ClustersView(window);
  await view.show();
  await window.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
  await window.treeItem(/^Embedded cluster, running/).waitFor();
  await window.runCommand('Kafka Workbench: Connect to a cluster...');
  await view.answerConnection(real, 'real');
  const { bootstrap: embedded } = await embeddedStatus(editor);
  return { editor, window, view, bootstrap: { embedded, real } };
}
