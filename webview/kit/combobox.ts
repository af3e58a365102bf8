/**
 * A line of text with suggestions below it, as a combobox of the ARIA practices. Its own input rather
 * than the toolkit's: `aria-activedescendant` does not reach out of a shadow root.
 */
import { fill, h, setAttribute, setText, show, uniqueId } from './dom.ts';

export interface Suggestion {
  readonly text: string;
  /** What it means, in a few words. */
  readonly meaning: string;
}

export interface ComboboxOptions {
  readonly label: string;
  readonly placeholder?: string;
  readonly class?: string;
  /** Gets nothing where the text is what is in force: all suggestions are of use then. */
  readonly suggest: (text: string) => readonly Suggestion[];
  /** A line below the suggestions about what is typed. */
  readonly explain?: (text: string) => { text: string; isProblem: boolean } | undefined;
  /** The text was changed by a person; with Escape to what is in force. */
  readonly onInput?: (text: string) => void;
  /** Suggestions are asked for by a person; where better ones come later, `suggestAgain` shows them. */
  readonly onOpen?: () => void;
  /** Enter, or a suggestion was chosen. */
  readonly onCommit: (text: string) => void;
  /** What is typed is given up when the focus leaves, unless it was committed. */
  readonly revertOnLeave?: boolean;
}

export class Combobox {
  readonly element: HTMLElement;
  readonly #options: ComboboxOptions;
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #note: HTMLElement;
  readonly #popup: HTMLElement;
  #suggestions: readonly Suggestion[] = [];
  #active = -1;
  /** Suggestions were asked for; there may be none. */
  #isOpen = false;
  #committed = '';
  #problem: string | undefined;
  /** The words about a problem go when the focus does; that there is one stays visible. */
  #saysProblem = false;

  constructor(options: ComboboxOptions) {
    this.#options = options;
    const listId = uniqueId('suggestions');
    const noteId = uniqueId('note');
    this.#input = h('input', {
      class: 'input',
      type: 'text',
      role: 'combobox',
      spellcheck: 'false',
      autocomplete: 'off',
      placeholder: options.placeholder,
      'aria-label': options.label,
      'aria-autocomplete': 'list',
      'aria-expanded': false,
      'aria-controls': listId,
      'aria-describedby': noteId,
    });
    this.#list = h('div', {
      class: 'suggestions',
      role: 'listbox',
      id: listId,
      'aria-label': options.label,
    });
    this.#note = h('div', { class: 'combobox-note', id: noteId });
    this.#popup = h('div', { class: 'popup combobox-popup', hidden: true }, this.#list, this.#note);
    this.element = h('div', { class: `combobox ${options.class ?? ''}` }, this.#input, this.#popup);
    this.#listen();
  }

  get value(): string {
    return this.#input.value;
  }

  /** Sets the text as one that is in force. What a person is typing stays. */
  set value(text: string) {
    const input = this.#input;
    const isFocused = document.activeElement === input;
    const isTyped = input.value !== this.#committed;
    this.#committed = text;
    if ((isFocused && isTyped) || input.value === text) return;
    const wasSelected = input.selectionStart === 0 && input.selectionEnd === input.value.length;
    input.value = text;
    // What is typed next takes its place, as it would have that of the text before.
    if (isFocused && wasSelected) input.select();
  }

  /** Shows what is wrong with the text, at the input; undefined takes it away. */
  setProblem(problem: string | undefined): void {
    this.#problem = problem;
    this.#saysProblem = problem !== undefined;
    setAttribute(this.#input, 'aria-invalid', problem !== undefined);
    this.element.classList.toggle('invalid', problem !== undefined);
    this.#update();
  }

  setDisabled(disabled: boolean): void {
    this.#input.disabled = disabled;
  }

  focus(): void {
    this.#input.focus();
  }

  /** As Enter does, for who does not know of it. */
  commit(): void {
    this.#commit(this.#input.value);
  }

  /** There are others to suggest now: shows them where suggestions are shown, with the same one chosen. */
  suggestAgain(): void {
    if (!this.#isOpen) return;
    const chosen = this.#suggestions[this.#active]?.text;
    this.#showSuggestions();
    this.#active = this.#suggestions.findIndex(({ text }) => text === chosen);
    this.#markActive();
  }

  #listen(): void {
    const input = this.#input;
    input.addEventListener('focus', () => {
      if (this.#options.revertOnLeave) input.select();
      this.setProblem(this.#problem);
    });
    input.addEventListener('click', () => this.#open());
    input.addEventListener('input', () => {
      this.#problem = undefined;
      this.element.classList.remove('invalid');
      setAttribute(input, 'aria-invalid', undefined);
      this.#active = -1;
      this.#options.onInput?.(input.value);
      this.#open();
    });
    input.addEventListener('keydown', (event) => this.#onKey(event));
    input.addEventListener('blur', () => {
      if (this.#options.revertOnLeave && !this.#problem) input.value = this.#committed;
      this.#saysProblem = false;
      this.#close();
    });
    // Before the input loses the focus.
    this.#list.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const option = event.target instanceof Element ? event.target.closest('[data-index]') : null;
      const suggestion = this.#suggestions[Number(option?.getAttribute('data-index') ?? -1)];
      if (suggestion) this.#commit(suggestion.text);
    });
  }

  #onKey(event: KeyboardEvent): void {
    // With one of these it is a shortcut of the panel.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        this.#move(event.key === 'ArrowDown' ? 1 : -1);
        break;
      case 'Enter':
        this.#commit(this.#suggestions[this.#active]?.text ?? this.#input.value);
        break;
      case 'Escape':
        if (!this.#expanded) {
          this.#input.value = this.#committed;
          this.#options.onInput?.(this.#committed);
        }
        this.setProblem(undefined);
        this.#close();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  get #expanded(): boolean {
    return !this.#list.hidden && !this.#popup.hidden;
  }

  #move(step: number): void {
    if (!this.#expanded) {
      this.#open();
      return;
    }
    const count = this.#suggestions.length;
    if (count === 0) return;
    this.#active = (this.#active + step + count + (this.#active < 0 && step < 0 ? 1 : 0)) % count;
    this.#markActive();
  }

  #commit(text: string): void {
    this.#input.value = text;
    this.#committed = text;
    this.#close();
    this.#options.onCommit(text);
  }

  #open(): void {
    this.#isOpen = true;
    this.#showSuggestions();
    this.#options.onOpen?.();
  }

  #showSuggestions(): void {
    const { value } = this.#input;
    this.#suggestions = this.#options.suggest(value === this.#committed ? '' : value);
    this.#active = -1;
    fill(
      this.#list,
      ...this.#suggestions.map(({ text, meaning }, index) =>
        h(
          'div',
          {
            class: 'suggestion',
            role: 'option',
            id: `${this.#list.id}-${index}`,
            'data-index': index,
            'aria-selected': false,
          },
          h('span', { class: 'suggestion-text' }, text),
          h('span', { class: 'suggestion-meaning' }, meaning),
        ),
      ),
    );
    show(this.#list, this.#suggestions.length > 0);
    this.#update(true);
    this.#markActive();
  }

  #close(): void {
    this.#isOpen = false;
    this.#suggestions = [];
    this.#active = -1;
    show(this.#list, false);
    this.#update(false);
    this.#markActive();
  }

  #update(isOpen = this.#expanded): void {
    const explained = isOpen ? this.#options.explain?.(this.#input.value) : undefined;
    const problem = this.#saysProblem ? this.#problem : undefined;
    const note = problem ?? explained?.text ?? '';
    setText(this.#note, note);
    this.#note.classList.toggle('problem', problem !== undefined || explained?.isProblem === true);
    show(this.#note, note !== '');
    show(this.#popup, note !== '' || (isOpen && this.#suggestions.length > 0));
    setAttribute(this.#input, 'aria-expanded', isOpen && this.#suggestions.length > 0);
  }

  #markActive(): void {
    let active: Element | undefined;
    for (const [index, option] of [...this.#list.children].entries()) {
      const isActive = index === this.#active;
      setAttribute(option, 'aria-selected', isActive);
      if (isActive) active = option;
    }
    active?.scrollIntoView({ block: 'nearest' });
    setAttribute(this.#input, 'aria-activedescendant', active?.id);
  }
}
