/** The place beside the Send button: what it will do, why it cannot, or what came of the last record. One at a time. */
import { t } from '../../src/base/l10n.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { SentRecord } from '../../src/shared/contracts/produce.ts';
import { link } from '../kit/controls.ts';
import { fill, h, setText } from '../kit/dom.ts';
import { formatInt64 } from '../kit/format.ts';
import { icon } from '../kit/icons.ts';

export class SendOutcome {
  readonly element: HTMLElement;
  readonly #words = h('span', { class: 'dim' });
  /** Read aloud when it changes: what is typed is not commented on. */
  readonly #outcome = h('div', { class: 'outcome-of-send', role: 'status' });
  readonly #onOpen: (record: SentRecord) => void;

  constructor(onOpen: (record: SentRecord) => void) {
    this.#onOpen = onOpen;
    this.element = h('div', { class: 'send-outcome' }, this.#words, this.#outcome);
  }

  /** Of the record as it is written now, in place of what came of the last one. */
  say(words: string): void {
    fill(this.#outcome);
    setText(this.#words, words);
  }

  showSent(record: SentRecord): void {
    const { partition, offset } = record;
    const where =
      offset === '-1'
        ? h('span', {}, t('Sent to partition {0}, no offset came back', partition))
        : link(
            t('Sent to partition {0}, offset {1}', partition, formatInt64(offset)),
            t('Open the record in the tail'),
            () => this.#onOpen(record),
          );
    this.#show('sent', icon('check'), where);
  }

  showError({ message, hint }: UserError): void {
    const advice = hint !== undefined && h('div', { class: 'dim' }, hint);
    this.#show('failed', h('div', {}, icon('error'), message), advice);
  }

  #show(kind: 'sent' | 'failed', ...content: readonly (Element | string | false)[]): void {
    setText(this.#words, '');
    fill(this.#outcome, h('div', { class: kind }, ...content));
  }
}
