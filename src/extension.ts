import type * as vscode from 'vscode';
import { makeApi, type WorkbenchApi } from './ui/api.ts';
import { registerCommands } from './ui/commands/registerCommands.ts';
import { speakLanguageOfEditor } from './ui/language.ts';
import { StatusBar } from './ui/statusBar.ts';
import { Workbench } from './ui/workbench.ts';

/** Composes and registers. Starts nothing; an embedded cluster that is running already is found again. */
export function activate(context: vscode.ExtensionContext): WorkbenchApi {
  speakLanguageOfEditor();
  const workbench = new Workbench(context);
  context.subscriptions.push(
    workbench,
    new StatusBar(workbench.embedded, context.workspaceState),
    ...registerCommands(workbench),
  );
  return makeApi(workbench);
}
