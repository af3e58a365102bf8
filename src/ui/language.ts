import * as vscode from 'vscode';
import { speak } from '../base/l10n.ts';

/**
 * Speaks the language of the editor, where there is a bundle for it (`l10n` in package.json): the editor has read it
 * before it loaded this code.
 */
export function speakLanguageOfEditor(): void {
  const words = vscode.l10n.bundle;
  if (words) speak({ tag: vscode.env.language, words });
}
