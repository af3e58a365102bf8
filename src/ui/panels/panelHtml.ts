import type { Language } from '../../base/l10n.ts';

export interface PanelPage {
  /** The page speaks it: `webview/kit/language.ts`. */
  readonly language: Language;
  readonly title: string;
  /** `Webview.cspSource`. */
  readonly cspSource: string;
  readonly nonce: string;
  readonly scriptUri: string;
  readonly styleUri: string;
}

/**
 * The page of a panel: nothing but our own script, by nonce, and our own styles, fonts and images. No
 * inline styles, no connections, no frames, no forms.
 */
export function panelHtml(page: PanelPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    `img-src ${page.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${page.language.tag}" data-words="${escapeHtml(JSON.stringify(page.language.words))}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="${page.styleUri}">
</head>
<body>
<script nonce="${page.nonce}" src="${page.scriptUri}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
