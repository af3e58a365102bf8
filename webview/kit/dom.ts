/** Makes elements; no markup is ever parsed, so nothing from a record can become part of the page. */

type Child = Node | string | false | undefined;

type Handlers = {
  [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void;
};

type Props = Handlers &
  Record<`aria-${string}` | `data-${string}`, unknown> & {
    class?: string | undefined;
    [attribute: string]: unknown;
  };

/**
 * An element with attributes, `on…` listeners and children. `true` is an empty attribute; `false` and
 * undefined leave it out, except for `aria-…`, where false is a value.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function')
      element.addEventListener(name.slice(2), value as EventListener);
    else setAttribute(element, name, value as Value);
  }
  append(element, ...children);
  return element;
}

type Value = string | number | boolean | undefined;

/** Sets, empties or removes an attribute by the rules of `h`. */
export function setAttribute(element: Element, name: string, value: Value): void {
  const isAria = name.startsWith('aria-');
  if (value === undefined || (value === false && !isAria)) element.removeAttribute(name);
  else element.setAttribute(name, value === true && !isAria ? '' : String(value));
}

export function append(parent: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue;
    parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
  }
}

/** Puts `children` in the place of what is there. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, ...children);
}

/** As `fill`: the control that had the focus hands it on to the one of its name. */
export function fillAgain(parent: Element, ...children: Child[]): void {
  const { activeElement } = document;
  const isWithin = activeElement !== null && parent.contains(activeElement);
  const name = isWithin ? activeElement.getAttribute('aria-label') : null;
  fill(parent, ...children);
  if (!isWithin || name === null) return;
  const alike = parent.querySelectorAll<HTMLElement>(`${activeElement.localName}[aria-label]`);
  [...alike].find((control) => control.getAttribute('aria-label') === name)?.focus();
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element: HTMLElement, visible: boolean): void {
  element.hidden = !visible;
}

let lastId = 0;

/** An id that nothing else in the page has. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${++lastId}`;
}
