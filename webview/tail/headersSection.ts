/** The headers of a record, in its order, with every duplicate. There may be thousands. */
import { t } from '../../src/base/l10n.ts';
import type { PayloadForm, RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import type { TakenPart } from '../../src/shared/contracts/tail.ts';
import { fromBase64 } from '../kit/bytes.ts';
import { button, textField } from '../kit/controls.ts';
import { append, fill, h, setText, show } from '../kit/dom.ts';
import { groupThousands } from '../kit/format.ts';
import { announce } from '../kit/parts.ts';
import { headerText } from './headerText.ts';
import { restOfCut } from './restOfCut.ts';

/** So many are drawn at first, and each time more are asked for. */
const AT_ONCE = 200;
/** So many are drawn before the page may do something else. */
const CHUNK = 100;

export interface HeadersOptions {
  readonly chooser: HTMLElement;
  /** How many were shown when the record was left. */
  readonly shown: number | undefined;
  readonly onShown: (count: number) => void;
  /** All that were to be shown are. */
  readonly onDrawn: () => void;
  /** All of the value of a header, by its place in the record, of which the first part is here. */
  readonly onTake: (header: number, to: TakenPart['to'], form: PayloadForm) => void;
}

/** More than these are not taken in at a glance: they are found by name. */
const FEW = 10;

export function hasManyHeaders({ headers }: RecordDetails): boolean {
  return headers.length > FEW;
}

export function headersSection(record: RecordDetails, options: HeadersOptions): HTMLElement {
  const headers = record.headers.map((header, place) => ({ ...header, place }));
  const count = h('span', { class: 'dim count' }, groupThousands(headers.length));
  const content = h('div', {}, headers.length === 0 ? noneWords() : tableOf(headers, options));
  const filter = textField({
    label: t('Filter headers by name'),
    placeholder: t('Filter by name'),
    onInput: () => {
      const named = namedLike(headers, filter.value);
      const { length } = headers;
      const words = named === headers ? groupThousands(length) : foundWords(named.length, length);
      setText(count, words);
      announce(words);
      // Of some of them nothing is kept for a page that comes after.
      const shown =
        named === headers ? options : { ...options, shown: 0, onShown: () => undefined };
      fill(content, named.length === 0 ? noneWords() : tableOf(named, shown));
    },
  });
  return h(
    'section',
    { 'aria-label': t('Headers') },
    h(
      'div',
      { class: 'payload-head' },
      h('h2', {}, t('Headers'), count),
      h('span', { class: 'spring' }),
      hasManyHeaders(record) && filter.element,
      headers.length > 0 && options.chooser,
    ),
    content,
  );
}

type Headers = readonly (RecordDetails['headers'][number] & { readonly place: number })[];

const noneWords = (): HTMLElement => h('p', { class: 'dim' }, t('None.'));

const foundWords = (found: number, of: number): string =>
  t('{0} of {1}', groupThousands(found), groupThousands(of));

const tableOf = (headers: Headers, options: HeadersOptions): HTMLElement =>
  new HeadersTable(headers, options).element;

function namedLike(headers: Headers, text: string): Headers {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return headers;
  return headers.filter(({ key }) => headerText(key).text.toLowerCase().includes(wanted));
}

/** Drawn in chunks while the page has time; what is not seen of them is not laid out. */
class HeadersTable {
  readonly element: HTMLElement;
  readonly #headers: Headers;
  readonly #options: HeadersOptions;
  readonly #table = h('div', { class: 'headers-table', role: 'table', 'aria-label': t('Headers') });
  readonly #more = button({ label: '', onClick: () => this.#show(this.#wanted + AT_ONCE) });
  readonly #all = button({ label: '', onClick: () => this.#show(this.#headers.length) });
  #wanted: number;
  #drawn = 0;

  constructor(headers: Headers, options: HeadersOptions) {
    this.#headers = headers;
    this.#options = options;
    this.#wanted = Math.min(headers.length, Math.max(AT_ONCE, options.shown ?? 0));
    const buttons = h('div', { class: 'headers-more' }, this.#more.element, this.#all.element);
    this.element = h('div', {}, this.#table, buttons);
    this.#table.setAttribute('aria-rowcount', String(headers.length));
    while (this.#drawn < Math.min(AT_ONCE, this.#wanted)) this.#drawChunk();
    this.#offer();
    if (this.#drawn < this.#wanted) this.#drawOn();
  }

  #show(wanted: number): void {
    const isUnderWay = this.#drawn < this.#wanted;
    this.#wanted = Math.min(wanted, this.#headers.length);
    this.#options.onShown(this.#wanted);
    this.#offer();
    if (!isUnderWay) this.#drawOn();
  }

  #drawOn(): void {
    requestIdleCallback(
      () => {
        // Another record is looked at by now.
        if (!this.element.isConnected) return;
        this.#drawChunk();
        if (this.#drawn < this.#wanted) this.#drawOn();
        else this.#options.onDrawn();
      },
      { timeout: 200 },
    );
  }

  #drawChunk(): void {
    const end = Math.min(this.#drawn + CHUNK, this.#wanted);
    const rows = this.#headers
      .slice(this.#drawn, end)
      .map((header) => headerRow(header, this.#options));
    const chunk = h('div', { class: 'headers-chunk', role: 'rowgroup' }, ...rows);
    // Before it is laid out it takes about as much room.
    chunk.style.setProperty('--rows', String(rows.length));
    append(this.#table, chunk);
    this.#drawn = end;
  }

  #offer(): void {
    const left = this.#headers.length - this.#wanted;
    show(this.#more.element, left > 0);
    show(this.#all.element, left > AT_ONCE);
    const next = Math.min(left, AT_ONCE);
    this.#more.setLabel(t('Show {0} more of {1}', groupThousands(next), groupThousands(left)));
    this.#all.setLabel(t('Show all ({0})', groupThousands(this.#headers.length)));
  }
}

function headerRow(header: Headers[number], { onTake }: HeadersOptions): HTMLElement {
  const { place, value, decoded, cutKey, cutValue } = header;
  const key = headerText(header.key, { cut: cutKey });
  const shown = headerText(value, { decoded, cut: cutValue });
  const rest =
    cutValue &&
    restOfCut((to, form) => onTake(place, to, form), {
      form: shown.form,
      bytes: decoded && 'text' in decoded ? decoded.text.length : fromBase64(value ?? '').length,
      hasCopy: true,
    });
  return h(
    'div',
    { role: 'row', class: 'header-row' },
    h('span', { role: 'rowheader', title: key.title }, key.text),
    h('span', { role: 'cell', 'data-kind': shown.kind, title: shown.title }, shown.text, rest),
  );
}
