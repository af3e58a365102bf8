// What assistive technology would stumble over in a page, by axe-core.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { themes, wearTheme } from './themes.ts';

interface Axe {
  run(options: object): Promise<{
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  }>;
}

/** The serious faults of a panel in each of the editor's themes, each with its rule and its elements. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const faults: string[] = [];
  for (const theme of themes) {
    await wearTheme(page, theme);
    // What is no colour is the same in each.
    const options = {
      resultTypes: ['violations'],
      ...(theme !== themes[0] && { runOnly: { type: 'rule', values: ['color-contrast'] } }),
    };
    const found = await page.evaluate(async (how) => {
      const { axe: inPage } = globalThis as unknown as { axe: Axe };
      const { violations } = await inPage.run(how);
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
        );
    }, options);
    faults.push(...found.map((fault) => `${theme}: ${fault}`));
  }
  return faults;
}
