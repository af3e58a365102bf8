import * as vscode from 'vscode';
import { type Health, healthLooks } from './health.ts';
import { colors } from './themeColors.ts';

const scheme = 'kafka-workbench-row';

/**
 * The address of a row by which the editor asks for its badge: another one for each state, so nothing has to be told.
 */
export function healthUri(rowId: string, health: Health): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${rowId}`, fragment: health });
}

/** Badges and colours of rows. */
export class HealthDecorations implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme || !Object.hasOwn(healthLooks, uri.fragment)) return undefined;
    const { badge, color, words } = healthLooks[uri.fragment as Health];
    // A quiet state dims its icon alone: the description of a dimmed label would be too faint to read.
    const labelColor = color === colors.quiet ? undefined : new vscode.ThemeColor(color);
    return new vscode.FileDecoration(badge, words(), labelColor);
  }
}
