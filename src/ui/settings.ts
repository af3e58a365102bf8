import * as vscode from 'vscode';
import { type SettingName, settingDefaults } from './contributions.ts';

type Widened<T> = T extends number ? number : T extends boolean ? boolean : string;
type SettingValue<K extends SettingName> = Widened<(typeof settingDefaults)[K]>;

/** A setting's value now; a value of the wrong type in settings.json counts as the default. */
export function setting<K extends SettingName>(name: K): SettingValue<K> {
  const value: unknown = vscode.workspace.getConfiguration('kafkaWorkbench').get(name);
  const fallback: unknown = settingDefaults[name];
  return (typeof value === typeof fallback ? value : fallback) as SettingValue<K>;
}

/** Calls `changed` when one of the named settings has another value. */
export function onDidChangeSetting(
  names: readonly SettingName[],
  changed: () => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`kafkaWorkbench.${name}`))) changed();
  });
}
