import type { Page } from 'playwright-core';

/** Puts a text on the clipboard by the key that copies: in no other way may a page of a test write to it. */
export async function copyByKey(page: Page, text: string): Promise<void> {
  await page.evaluate(`document.addEventListener(
    'copy',
    (event) => {
      event.clipboardData.setData('text/plain', ${JSON.stringify(text)});
      event.preventDefault();
    },
    { once: true, capture: true },
  )`);
  await page.keyboard.press('Control+c');
}
