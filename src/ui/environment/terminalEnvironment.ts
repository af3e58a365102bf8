import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { variablesFor } from './bootstrapVariables.ts';
import type { ClusterAddress } from './chosenCluster.ts';

/**
 * Gives terminals that open from now on the cluster's address, and takes it away when there is none. A
 * variable that the person has set, in the editor's own environment or for its terminals, stays theirs.
 */
export function setTerminalEnvironment(
  collection: vscode.GlobalEnvironmentVariableCollection,
  address: ClusterAddress | undefined,
): void {
  // What an earlier session left would name a cluster that may be gone.
  collection.persistent = false;
  collection.clear();
  if (!address) return;
  const variables = variablesFor(address.bootstrap, namesSetByPerson());
  const names = Object.keys(variables);
  if (names.length === 0) return;
  collection.description = describe(names, address);
  for (const [name, value] of Object.entries(variables)) collection.replace(name, value);
}

function namesSetByPerson(): string[] {
  const platform = { win32: 'windows', darwin: 'osx' }[process.platform as string] ?? 'linux';
  const forTerminals: unknown = vscode.workspace
    .getConfiguration('terminal.integrated.env')
    .get(platform);
  return [
    ...Object.keys(process.env),
    ...(typeof forTerminals === 'object' && forTerminals ? Object.keys(forTerminals) : []),
  ];
}

function describe(
  names: readonly string[],
  { name, bootstrap }: ClusterAddress,
): vscode.MarkdownString {
  const listed = names.map((variable) => `\`${variable}\``).join(', ');
  return new vscode.MarkdownString(t('{0}: the address of the Kafka cluster', listed) + ' ')
    .appendText(`${name}, ${bootstrap}. `)
    .appendMarkdown(
      t(
        'The setting `kafkaWorkbench.environment.cluster` chooses another cluster, or turns this off.',
      ),
    );
}
