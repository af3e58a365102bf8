import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import {
  type ImportedConnection,
  importProperties,
} from '../../cluster/connections/profileProperties.ts';
import { CancelledError } from '../commands/prompts.ts';
import { counted } from '../text.ts';
import { importSteps } from './connectionSteps.ts';
import { type ConnectionDraft, draftOfImport } from './draft.ts';
import { pickOne } from './questions.ts';
import { back, runSteps } from './wizard.ts';

/** A text with a client's configuration, and the folder that its relative file names are from. */
interface ConfigurationText {
  readonly text: string;
  readonly folder?: string;
}

/** Reads a connection from where the person says, and asks for what it does not hold. */
export async function importedConnection(
  log: vscode.LogOutputChannel,
  title: string,
  taken: readonly string[],
): Promise<ConnectionDraft> {
  const { text, folder } = await chosenText(title);
  const imported = importProperties(text, folder);
  tellIgnored(log, imported);
  return runSteps(title, draftOfImport(imported), () =>
    importSteps(draftOfImport(imported), taken),
  );
}

async function chosenText(title: string): Promise<ConfigurationText> {
  const editor = vscode.window.activeTextEditor;
  const read = await pickOne<() => Promise<ConfigurationText>>(
    { title, step: 1, totalSteps: 1 },
    {
      placeholder: t('Where are the settings of a client, or the addresses of brokers?'),
      options: [
        {
          label: t('In the clipboard'),
          detail: t('A client.properties text, or a bootstrap.servers line.'),
          value: async () => ({ text: await vscode.env.clipboard.readText() }),
        },
        { label: t('In a file...'), value: textOfFile },
        ...(editor
          ? [
              {
                label: t('In the editor: {0}', path.basename(editor.document.fileName)),
                value: () => Promise.resolve(textOfEditor(editor)),
              },
            ]
          : []),
      ],
    },
  );
  if (read === back) throw new CancelledError();
  return read();
}

async function textOfFile(): Promise<ConfigurationText> {
  const chosen = await vscode.window.showOpenDialog({
    title: t('Import client settings'),
    openLabel: t('Import'),
    filters: {
      [t('Client settings')]: ['properties', 'conf', 'config', 'cfg'],
      [t('All files')]: ['*'],
    },
  });
  const file = chosen?.[0]?.fsPath;
  if (file === undefined) throw new CancelledError();
  return { text: await readFile(file, 'utf8'), folder: path.dirname(file) };
}

function textOfEditor({ document }: vscode.TextEditor): ConfigurationText {
  const isFile = document.uri.scheme === 'file';
  return {
    text: document.getText(),
    ...(isFile && { folder: path.dirname(document.uri.fsPath) }),
  };
}

/** Names the lines that had no effect, without their values, which may be secrets. */
function tellIgnored(log: vscode.LogOutputChannel, { ignored }: ImportedConnection): void {
  if (ignored.length === 0) return;
  for (const { line, name, reason } of ignored)
    log.warn(`import: line ${line}, ${name}: ${reason}`);
  const names = ignored.map(({ line, name }) => t('{0} (line {1})', name, line)).join(', ');
  const showReasons = t('Show reasons');
  void vscode.window
    .showWarningMessage(
      t('{0} of the settings had no effect: {1}', counted(ignored.length, 'line'), names),
      showReasons,
    )
    .then((answer) => {
      if (answer === showReasons) log.show();
    });
}
