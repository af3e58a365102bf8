// Where the keyboard is, as a person sees it.
import type { Page } from 'playwright-core';

const STOPS_MAX = 120;
/** A ring may lie around a control. */
const AROUND_PX = 4;

interface Place {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The ring lies on a box that may have the same colour. */
  readonly isRingHidden: boolean;
}

/** The controls that look the same with the keyboard's focus as without it; Tab comes to each of them once. */
export async function unseenFocus(
  page: Page,
  onLooked?: (place: Place, png: Buffer) => void,
): Promise<string[]> {
  const unseen: string[] = [];
  await page.mouse.move(0, 0);
  await page.evaluate('globalThis.looked = new Set(); document.activeElement?.blur()');
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    await page.keyboard.press('Tab');
    const place = await page.evaluate<Place | 'around' | 'outside'>(FOCUSED_PLACE);
    if (place === 'around') return unseen;
    if (place === 'outside') continue;
    const clip = {
      x: Math.max(0, place.x - AROUND_PX),
      y: Math.max(0, place.y - AROUND_PX),
      width: place.width + 2 * AROUND_PX,
      height: place.height + 2 * AROUND_PX,
    };
    const focused = await page.screenshot({ clip, animations: 'disabled' });
    onLooked?.(place, focused);
    await page.evaluate('globalThis.left = document.activeElement; left.blur()');
    const blurred = await page.screenshot({ clip, animations: 'disabled' });
    await page.evaluate('left.focus()');
    if (focused.equals(blurred) || place.isRingHidden) unseen.push(place.name);
  }
  throw new Error(`Tab is not around after ${STOPS_MAX} controls`);
}

const FOCUSED_PLACE = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return 'outside';
  if (looked.has(element)) return 'around';
  looked.add(element);
  element.scrollIntoView({ block: 'nearest' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const isRingHidden = element.type === 'checkbox' && parseFloat(getComputedStyle(element).outlineOffset) < 1;
  const name = (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 60);
  return { name: \`\${element.localName} \${name}\`, x, y, width, height, isRingHidden };
})()`;
