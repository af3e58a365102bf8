// What assistive technology would stumble over in a page, by axe-core.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Axe {
  run(options: object): Promise<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>;
}

/**
 * The serious faults in a page, each with its rule and its elements. Colours are left out: they come from the
 * editor's theme, which a panel in a bare browser does not have.
 */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: Axe };
    const { violations } = await inPage.run({ rules: { 'color-contrast': { enabled: false } } });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
