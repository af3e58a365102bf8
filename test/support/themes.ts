// The editor's own themes in a bare browser: what VS Code sets on a webview for each of its four default themes.
import type { Page } from 'playwright-core';

const bodyClasses = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  'high contrast': 'vscode-high-contrast',
  'high contrast light': 'vscode-high-contrast-light vscode-high-contrast',
} as const;
export type Theme = keyof typeof bodyClasses;
export const themes = Object.keys(bodyClasses) as Theme[];

/** `vscode-` left out, as read from VS Code 1.139; columns as `themes`; `-` is not set. */
const COLORS = `
badge-background                  #cccccc   #616161   #000000   #0f4a85
badge-foreground                  #3b3b3b   #f8f8f8   #ffffff   #ffffff
button-background                 #005fb8   #0078d4   #000000   #0f4a85
button-border                     #0000001a #ffffff1a #6fc3df   #0f4a85
button-foreground                 #ffffff   #ffffff   #ffffff   #ffffff
button-hoverBackground            #0258a8   #026ec1   #000000   #0f4a85
button-secondaryBackground        #e5e5e5   #00000000 -         #ffffff
button-secondaryBorder            #3b3b3b26 #cccccc26 #6fc3df   #0f4a85
button-secondaryForeground        #3b3b3b   #cccccc   #ffffff   #292929
button-secondaryHoverBackground   #cccccc   #2b2b2b   -         -
charts-blue                       #0063d3   #59a4f9   #59a4f9   #0063d3
charts-green                      #388a34   #89d185   #89d185   #374e06
charts-purple                     #652d90   #b180d7   #b180d7   #652d90
charts-red                        #e51400   #f14c4c   #f48771   #b5200d
charts-yellow                     #bf8803   #cca700   #ffd370   #895503
checkbox-background               #f8f8f8   #313131   #000000   #ffffff
checkbox-border                   #cecece   #3c3c3c   #6fc3df   #0f4a85
checkbox-foreground               #3b3b3b   #cccccc   #ffffff   #292929
contrastActiveBorder              -         -         #f38518   #006bbd
contrastBorder                    -         -         #6fc3df   #0f4a85
debugTokenExpression-boolean      #0000ff   #4e94ce   #75bdfe   #0000ff
debugTokenExpression-name         #9b46b0   #c586c0   #ffffff   #292929
debugTokenExpression-number       #098658   #b5cea8   #89d185   #098658
debugTokenExpression-string       #a31515   #ce9178   #f48771   #a31515
descriptionForeground             #3b3b3b   #9d9d9d   #ffffffb3 #292929b3
dropdown-background               #ffffff   #313131   #000000   #ffffff
dropdown-border                   #cecece   #3c3c3c   #6fc3df   #0f4a85
dropdown-foreground               #3b3b3b   #cccccc   #ffffff   #292929
editor-background                 #ffffff   #1f1f1f   #000000   #ffffff
editor-foreground                 #3b3b3b   #cccccc   #ffffff   #292929
editorError-foreground            #e51400   #f14c4c   #f48771   #b5200d
editorWarning-foreground          #bf8803   #cca700   #ffd370   #895503
editorWidget-background           #f8f8f8   #202020   #0c141f   #ffffff
editorWidget-foreground           #3b3b3b   #cccccc   #ffffff   #292929
errorForeground                   #f85149   #f85149   #f48771   #b5200d
focusBorder                       #005fb8   #0078d4   #f38518   #006bbd
foreground                        #3b3b3b   #cccccc   #ffffff   #292929
input-background                  #ffffff   #313131   #000000   #ffffff
input-border                      #cecece   #3c3c3c   #6fc3df   #0f4a85
input-foreground                  #3b3b3b   #cccccc   #ffffff   #292929
input-placeholderForeground       #767676   #989898   #ffffffb3 #292929b3
inputOption-activeBackground      #bed6ed   #2489db82 #00000000 #00000000
inputOption-activeBorder          #005fb8   #2488db   #6fc3df   #0f4a85
inputOption-activeForeground      #000000   #ffffff   #ffffff   #292929
inputValidation-errorBackground   #f2dede   #5a1d1d   #000000   #ffffff
inputValidation-errorBorder       #be1100   #be1100   #6fc3df   #0f4a85
inputValidation-errorForeground   -         -         -         #292929
inputValidation-warningBackground #f6f5d2   #352a05   #000000   #ffffff
inputValidation-warningBorder     #b89500   #b89500   #6fc3df   #0f4a85
inputValidation-warningForeground -         -         -         #292929
keybindingTable-headerBackground  #3b3b3b0a #cccccc0a -         -
list-activeSelectionBackground    #e8e8e8   #04395e   -         #0f4a851a
list-activeSelectionForeground    #000000   #ffffff   -         -
list-focusAndSelectionOutline     #005fb8   -         -         -
list-focusOutline                 #005fb8   #0078d4   #f38518   #006bbd
list-hoverBackground              #f2f2f2   #2a2d2e   #ffffff1a #0f4a851a
list-inactiveSelectionBackground  #e4e6f1   #37373d   -         #0f4a851a
panel-background                  #f8f8f8   #181818   #000000   #ffffff
panel-border                      #e5e5e5   #2b2b2b   #6fc3df   #0f4a85
panelTitle-activeBorder           #005fb8   #0078d4   #6fc3df   #b5200d
panelTitle-activeForeground       #3b3b3b   #cccccc   #ffffff   #292929
panelTitle-inactiveForeground     #3b3b3b   #9d9d9d   #ffffff   #292929
progressBar-background            #005fb8   #0078d4   #6fc3df   #0f4a85
sash-hoverBorder                  #005fb8   #0078d4   #f38518   #006bbd
scrollbarSlider-activeBackground  #00000099 #bfbfbf66 #6fc3df   #0f4a85
scrollbarSlider-background        #64646466 #79797966 #6fc3df99 #0f4a8566
scrollbarSlider-hoverBackground   #646464b3 #646464b3 #6fc3dfcc #0f4a85cc
settings-dropdownListBorder       #3b3b3b33 #cccccc33 #6fc3df   #0f4a85
testing-iconPassed                #73c991   #73c991   #73c991   #007100
textCodeBlock-background          #f8f8f8   #2b2b2b   #000000   #f2f2f2
textLink-activeForeground         #005fb8   #4daafc   #21a6ff   #0f4a85
textLink-foreground               #005fb8   #4daafc   #21a6ff   #0f4a85
textPreformat-background          #0000001f #3c3c3c   -         #09345f
textPreformat-foreground          #3b3b3b   #d0d0d0   #ffffff   #ffffff
widget-border                     #e5e5e5   #313131   #6fc3df   #0f4a85
widget-shadow                     #00000029 #0000005c -         -
`;

const FONTS: readonly (readonly [name: string, value: string])[] = [
  ['--vscode-font-family', 'system-ui, sans-serif'],
  ['--vscode-font-size', '13px'],
  ['--vscode-font-weight', 'normal'],
  ['--vscode-editor-font-family', 'monospace'],
  ['--vscode-editor-font-size', '14px'],
];

/** The style sheet that the editor puts before ours, where it changes what a panel shows. */
export const EDITOR_STYLES = `@layer vscode-default {
  body { color: var(--vscode-editor-foreground); margin: 0; padding: 0 20px; }
  a, a code { color: var(--vscode-textLink-foreground); }
  code {
    color: var(--vscode-textPreformat-foreground);
    background-color: var(--vscode-textPreformat-background);
    padding: 1px 3px;
    border-radius: 4px;
  }
}`;

/** A colour that the toolkit's buttons take over from the editor, and what they call it. */
const watched = { editor: 'button-secondaryForeground', toolkit: '--button-secondary-foreground' };

/**
 * Changes the theme as the editor does, live. The class comes last: it is what the toolkit's controls watch. They
 * take the theme over some frames later, and this waits for them.
 */
export async function wearTheme(page: Page, theme: Theme): Promise<void> {
  const column = themes.indexOf(theme) + 1;
  const colors = COLORS.trim()
    .split('\n')
    .map((line) => line.split(/ +/))
    .map((cells) => [`--vscode-${cells[0] ?? ''}`, cells[column] ?? '-'] as const);
  await page.evaluate(wear, { values: [...FONTS, ...colors], classes: bodyClasses[theme] });
  const expected = colors.find(([name]) => name === `--vscode-${watched.editor}`)?.[1] ?? '';
  await page.waitForFunction(
    `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
      ['', ${JSON.stringify(expected)}].includes(
        getComputedStyle(document.body).getPropertyValue('${watched.toolkit}').trim())))))`,
  );
}

interface Worn {
  readonly values: readonly (readonly [string, string])[];
  readonly classes: string;
}

/** Runs in the page: the tests know no DOM types. */
function wear({ values, classes }: Worn): void {
  const { document } = globalThis as unknown as {
    document: {
      documentElement: { style: { setProperty(name: string, value: string | null): void } };
      body: { className: string };
    };
  };
  const { style } = document.documentElement;
  for (const [name, value] of values) style.setProperty(name, value === '-' ? null : value);
  document.body.className = `vscode-body ${classes}`;
}
