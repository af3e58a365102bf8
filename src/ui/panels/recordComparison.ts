import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
import { recordText } from './recordText.ts';

const scheme = 'kafka-workbench-record';
/** Of comparisons that nobody closed. */
const keptTexts = 20;

/** Shows two records beside each other in the editor's own diff. Their text lives as long as its editor. */
export class RecordComparison extends DisposableStore {
  readonly #texts = new Map<string, string>();
  #last = 0;

  constructor() {
    super();
    this.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: (uri) =>
          this.#texts.get(uri.toString()) ?? t('What was compared here is not kept over a reload.'),
      }),
    );
    this.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#texts.delete(uri.toString());
      }),
    );
  }

  async show(left: RecordDetails, right: RecordDetails): Promise<void> {
    const title = t('{0} compared with {1}', nameOf(left), nameOf(right));
    await vscode.commands.executeCommand('vscode.diff', this.#keep(left), this.#keep(right), title);
  }

  #keep(record: RecordDetails): vscode.Uri {
    const path = `/${++this.#last}/${encodeURIComponent(nameOf(record))}.txt`;
    const uri = vscode.Uri.from({ scheme, path });
    this.#texts.set(uri.toString(), recordText(record));
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > keptTexts && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }
}

function nameOf({ topic, partition, offset }: RecordDetails): string {
  return `${topic}-${partition}@${offset}`;
}
