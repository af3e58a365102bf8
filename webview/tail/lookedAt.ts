/** How the open record is looked at: kept while the page is away, and begun anew with another record. */
import type { PayloadField } from '../../src/shared/contracts/decoders.ts';
import type { RecordLook } from '../../src/shared/contracts/tail.ts';

/** What can be scrolled. */
const SCROLLED = [
  '.details-body',
  '.details-body > .payload > .payload-body',
  '.details-side',
  '.details-side .payload-body',
];
/** Scrolling has come to rest. */
const AT_REST_MS = 150;

export class LookedAt {
  readonly #content: HTMLElement;
  readonly #onChange: () => void;
  #look: RecordLook = {};
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(content: HTMLElement, onChange: () => void) {
    this.#content = content;
    this.#onChange = onChange;
    content.addEventListener('scroll', () => this.#onScroll(), { capture: true, passive: true });
  }

  get look(): RecordLook {
    return this.#look;
  }

  /** Another record: it is seen from its top, in the forms that were chosen last. */
  begin(kept?: RecordLook): void {
    clearTimeout(this.#rest);
    const { keyForm, valueForm } = this.#look;
    this.#look = kept ?? { keyForm, valueForm };
  }

  /** It is read otherwise: in the form that suits it then. */
  forgetForms(): void {
    this.set({ keyForm: undefined, valueForm: undefined });
  }

  set(change: Partial<RecordLook>): void {
    this.#look = { ...this.#look, ...change };
    this.#onChange();
  }

  isWhole(field: Exclude<PayloadField, 'headers'>): boolean {
    return this.#look.whole?.includes(field) ?? false;
  }

  setWhole(field: Exclude<PayloadField, 'headers'>, isWhole: boolean): void {
    const others = (this.#look.whole ?? []).filter((other) => other !== field);
    this.set({ whole: isWhole ? [...others, field] : others });
  }

  /** Scrolls to where it was left. */
  scroll(): void {
    this.#look.tops?.forEach((top, index) => {
      const element = this.#content.querySelector(SCROLLED[index] ?? '');
      if (element && top > 0) element.scrollTop = top;
    });
  }

  #onScroll(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      const tops = SCROLLED.map((part) => this.#content.querySelector(part)?.scrollTop ?? 0);
      this.set({ tops });
    }, AT_REST_MS);
  }
}
