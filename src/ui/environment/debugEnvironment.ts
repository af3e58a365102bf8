import * as vscode from 'vscode';
import { namesInEnvFile, variablesFor } from './bootstrapVariables.ts';
import type { ClusterAddress } from './chosenCluster.ts';

/** A file of variables is small; anything larger is left to the debugger that was told of it. */
const largestEnvFile = 1_000_000;

/**
 * Gives programs that are started for debugging the cluster's address. Left alone: attaching, debuggers that take
 * no `env`, and every variable that the configuration, its `.env` files or the editor's environment has already.
 */
export class DebugEnvironment implements vscode.DebugConfigurationProvider {
  readonly #address: () => Promise<ClusterAddress | undefined>;

  constructor(address: () => Promise<ClusterAddress | undefined>) {
    this.#address = address;
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration> {
    if (configuration.request !== 'launch' || !takesEnv(configuration.type)) return configuration;
    const env: unknown = configuration['env'] ?? {};
    const address = await this.#address();
    if (!address || !isObject(env)) return configuration;
    const taken = [
      ...Object.keys(process.env),
      ...Object.keys(env),
      ...(await namesInFiles(configuration['envFile'])),
    ];
    const variables = variablesFor(address.bootstrap, taken);
    return { ...configuration, env: { ...env, ...variables } };
  }
}

interface DebuggerContribution {
  readonly type?: unknown;
  readonly configurationAttributes?: {
    readonly launch?: { readonly properties?: { readonly env?: { readonly type?: unknown } } };
  };
}

/** Whether a debugger says of itself that it takes an `env` of names and values. */
function takesEnv(type: string): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const manifest = packageJSON as { contributes?: { debuggers?: DebuggerContribution[] } };
    const debuggers = manifest.contributes?.debuggers;
    if (!Array.isArray(debuggers)) return false;
    return debuggers.some(
      (each) =>
        each.type === type &&
        [each.configurationAttributes?.launch?.properties?.env?.type].flat().includes('object'),
    );
  });
}

async function namesInFiles(envFile: unknown): Promise<string[]> {
  const files = [envFile].flat().filter((file) => typeof file === 'string' && file !== '');
  const names = await Promise.all(files.map((file) => namesInFile(file as string)));
  return names.flat();
}

async function namesInFile(file: string): Promise<string[]> {
  try {
    const uri = vscode.Uri.file(file);
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > largestEnvFile) return [];
    return namesInEnvFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  } catch {
    // A file that is not there is the debugger's to complain about.
    return [];
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
