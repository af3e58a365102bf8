/** Where the last record went, said beside the button that sent it. */
import { t } from '../../src/base/l10n.ts';
import type { SentRecord } from '../../src/shared/contracts/produce.ts';
import { link } from '../kit/controls.ts';
import { append, fill, h } from '../kit/dom.ts';
import { formatInt64 } from '../kit/format.ts';
import { icon } from '../kit/icons.ts';

export class LastSent {
  /** Read aloud when it changes. */
  readonly element = h('span', { class: 'last-sent', role: 'status' });
  readonly #onOpen: (record: SentRecord) => void;

  constructor(onOpen: (record: SentRecord) => void) {
    this.#onOpen = onOpen;
  }

  /** Taken away first, so that the same words twice are said twice. */
  clear(): void {
    fill(this.element);
  }

  show(record: SentRecord): void {
    const { partition, offset } = record;
    append(
      this.element,
      icon('check'),
      offset === '-1'
        ? h('span', {}, t('Sent to partition {0}, no offset came back', partition))
        : link(
            t('Sent to partition {0}, offset {1}', partition, formatInt64(offset)),
            t('Open the record in the tail'),
            () => this.#onOpen(record),
          ),
    );
  }
}
