/** What was sent from this panel, newest first. */
import { t } from '../../src/base/l10n.ts';
import { link } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { formatInt64, formatTimestamp } from '../kit/format.ts';

export interface SentRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly timestamp: string;
}

const SENT_MAX = 200;

export class SentList {
  readonly element: HTMLElement;
  readonly #list = h('ol', { class: 'sent-list' });
  readonly #count = h('span', { class: 'dim count' });
  readonly #onOpen: (record: Omit<SentRecord, 'timestamp'>) => void;
  #sent = 0;

  constructor(onOpen: (record: Omit<SentRecord, 'timestamp'>) => void) {
    this.#onOpen = onOpen;
    this.element = h(
      'section',
      { class: 'sent', 'aria-label': t('Sent'), hidden: true },
      h('h2', {}, t('Sent'), this.#count),
      this.#list,
    );
  }

  add({ topic, partition, offset, timestamp }: SentRecord): void {
    const { short, long } = formatTimestamp(timestamp);
    this.#list.prepend(
      h(
        'li',
        {},
        this.#place({ topic, partition, offset }),
        h('time', { class: 'dim', title: long }, short),
      ),
    );
    if (this.#list.children.length > SENT_MAX) this.#list.lastElementChild?.remove();
    this.#sent++;
    setText(this.#count, String(this.#sent));
    show(this.element, true);
  }

  /** A link to the record; with acks 0 nobody has said where it is. */
  #place({ topic, partition, offset }: Omit<SentRecord, 'timestamp'>): HTMLElement {
    if (offset === '-1') {
      return h('span', {}, t('{0} / {1}, no offset came back', topic, partition));
    }
    const where = t('{0} / {1} at {2}', topic, partition, formatInt64(offset));
    return link(where, t('Open the record in the tail'), () =>
      this.#onOpen({ topic, partition, offset }),
    );
  }
}
