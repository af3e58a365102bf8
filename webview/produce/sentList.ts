/** What was sent from this panel, newest first. */
import { t } from '../../src/base/l10n.ts';
import { sentKeptMax, type SentRecord } from '../../src/shared/contracts/produce.ts';
import { link } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { formatInt64, formatTimestamp } from '../kit/format.ts';

const SENT_MAX = 200;

export class SentList {
  readonly element: HTMLElement;
  readonly #list = h('ol', { class: 'sent-list' });
  readonly #count = h('span', { class: 'dim count' });
  readonly #onOpen: (record: SentRecord) => void;
  #kept: readonly SentRecord[] = [];
  #sent = 0;

  constructor(onOpen: (record: SentRecord) => void) {
    this.#onOpen = onOpen;
    this.element = h(
      'section',
      { class: 'sent', 'aria-label': t('Sent'), hidden: true },
      h('h2', {}, t('Sent'), this.#count),
      this.#list,
    );
  }

  /** The last ones, newest first, for the page that comes after this one. */
  get kept(): SentRecord[] {
    return [...this.#kept];
  }

  add(record: SentRecord): void {
    this.#kept = [record, ...this.#kept].slice(0, sentKeptMax);
    const { short, long } = formatTimestamp(record.timestamp);
    this.#list.prepend(
      h('li', {}, this.#place(record), h('time', { class: 'dim', title: long }, short)),
    );
    if (this.#list.children.length > SENT_MAX) this.#list.lastElementChild?.remove();
    this.#sent++;
    setText(this.#count, String(this.#sent));
    show(this.element, true);
  }

  /** A link to the record; with acks 0 nobody has said where it is. */
  #place(record: SentRecord): HTMLElement {
    const { topic, partition, offset } = record;
    if (offset === '-1') {
      return h('span', {}, t('{0} / {1}, no offset came back', topic, partition));
    }
    const where = t('{0} / {1} at {2}', topic, partition, formatInt64(offset));
    return link(where, t('Open the record in the tail'), () => this.#onOpen(record));
  }
}
