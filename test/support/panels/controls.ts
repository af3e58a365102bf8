// Every control of a page, and whether a person without a pointer comes to it, sees the focus on it, and hears its
// name.
import type { Page } from 'playwright-core';

/** More than any panel has. */
const STOPS_MAX = 200;

export interface SweepOptions {
  /** Selector of a box that is open, whose opener has the focus; left out: the whole page, from its top. */
  readonly within?: string;
  /** What only a pointer uses, by selector, and what does the same by the keyboard. */
  readonly pointerOnly?: Readonly<Record<string, string>>;
}

/** Goes through a page with the Tab key, once around, and says what is wrong with its controls. */
export async function faultsOfControls(page: Page, options: SweepOptions = {}): Promise<string[]> {
  const pointerOnly = Object.keys(options.pointerOnly ?? {});
  const { within = 'body' } = options;
  await page.evaluate(`controls.begin(${JSON.stringify(within)}, ${JSON.stringify(pointerOnly)})`);
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    if (await page.evaluate<boolean>('controls.isAround()'))
      return [...(await page.evaluate<string[]>('controls.faults()')), ...(await unnamed(page))];
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab is not around after ${STOPS_MAX} controls`);
}

/** How often a pointer was pressed on the page. */
export function pointerPresses(page: Page): Promise<number> {
  return page.evaluate<number>('controls.presses');
}

/** What can have the focus and that the browser has no name for: as a screen reader finds it. */
async function unnamed(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.flatMap(({ ignored, properties = [], name, role }) => {
    const canFocus = properties.some((each) => each.name === 'focusable' && each.value.value);
    if (ignored || !canFocus || name?.value || role?.value === 'RootWebArea') return [];
    return `no name: a ${String(role?.value)}`;
  });
}

/**
 * Runs before the page's own scripts, to see who listens to a pointer. Text, as it runs in the page: the tests know no
 * DOM types.
 */
export const watchControls = `globalThis.controls = (() => {
  const pointerEvents = ['click', 'dblclick', 'mousedown', 'pointerdown'];
  const listening = new WeakSet();
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...more) {
    if (this instanceof Element && pointerEvents.includes(type)) listening.add(this);
    return listen.call(this, type, ...more);
  };
  const controls = { presses: 0 };
  listen.call(globalThis, 'pointerdown', () => controls.presses++, true);

  const interactive = [
    ...['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[tabindex="0"]'],
    ...['button', 'checkbox', 'dropdown', 'link', 'text-area', 'text-field'].map((tag) => 'vscode-' + tag),
    ...['button', 'link', 'checkbox', 'radio', 'slider', 'switch', 'tab', 'menuitem'].map((role) => '[role=' + role + ']'),
  ].join();
  // What the arrow keys move in once it has the focus.
  const composite = '[role=grid], [role=listbox], [role=slider], [role=tree]';
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const isOn = (element) => !element.disabled && element.getAttribute('aria-disabled') !== 'true';

  let scope, candidates, reached, hidden, isBack, last, ringless;

  /** Who has the focus, from the outside in. */
  const focused = () => {
    const chain = [];
    for (let at = document.activeElement; at && at !== document.body; at = at.shadowRoot?.activeElement) chain.push(at);
    return chain;
  };
  const above = (element) => element.parentElement ?? element.getRootNode().host;
  const lookOf = (element) => {
    const active = document.getElementById(element.getAttribute('aria-activedescendant'));
    const around = [element, active, element.nextElementSibling, above(element), above(element) && above(above(element))];
    return JSON.stringify(around.filter(Boolean).flatMap((each) => [undefined, '::before', '::after'].map((part) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, textDecorationLine } =
        getComputedStyle(each, part);
      const outline = outlineStyle === 'none' ? '' : outlineWidth + outlineColor;
      return [outline, boxShadow, borderColor, backgroundColor, textDecorationLine];
    })));
  };
  const say = (element) => element.outerHTML.replace(/\\s+/g, ' ').slice(0, 160);

  controls.begin = (within, pointerOnly) => {
    scope = document.querySelector(within);
    reached = new Set();
    hidden = pointerOnly;
    ringless = [];
    last = undefined;
    isBack = false;
    if (scope === document.body) document.activeElement?.blur();
    candidates = [...scope.querySelectorAll('*')].filter((element) =>
      (element.matches(interactive) || listening.has(element)) && isSeen(element) && isOn(element));
    if (candidates.length === 0) throw new Error('nothing to reach in ' + within);
  };

  /** Notes where the focus is; true once it has been there before, or has left the box. */
  controls.isAround = () => {
    const chain = focused();
    if (last && last.element !== chain.at(-1)) {
      if (lookOf(last.element) === last.look) ringless.push(say(last.element));
      last = undefined;
    }
    if (chain.length === 0) return isBack;
    const isOutside = !scope.contains(chain[0]) && !chain[0].parentElement?.contains(scope);
    if (isOutside || (reached.has(chain[0]) && chain[0] !== last?.element)) return (isBack = true);
    for (const element of chain) reached.add(element);
    last = { element: chain.at(-1), look: lookOf(chain.at(-1)) };
    return false;
  };

  const isReached = (element) => {
    if (element.matches(hidden.join() || ':not(*)')) return true;
    for (let at = element; at; at = above(at)) {
      if (reached.has(at) && (at === element || at.matches(composite) || listening.has(at))) return true;
    }
    return [...reached].some((each) => {
      if (each.type === 'radio' && each.name === element.name) return true;
      const popup = each.getAttribute('aria-controls');
      return popup && element.closest('#' + popup);
    });
  };

  controls.faults = () => [
    ...candidates.filter((element) => !isReached(element)).map((element) => 'not reached: ' + say(element)),
    ...ringless.map((element) => 'no sign of the focus: ' + element),
  ];
  return controls;
})();`;
