/** How a record is delivered: its time, acks, compression, and what the broker makes sure of. */
import { t } from '../../src/base/l10n.ts';
import type { FormDraft } from '../../src/shared/contracts/produce.ts';
import { dropdown, textField } from '../kit/controls.ts';
import { h, setText } from '../kit/dom.ts';
import { formatTimestamp } from '../kit/format.ts';
import { readTimestamp } from './draftRules.ts';
import { problemLine } from './payloadField.ts';

type Delivery = Pick<FormDraft, 'timestamp' | 'acks' | 'compression' | 'delivery'>;

const ACKS = [
  { value: 'all', text: t('all: every in-sync replica') },
  { value: '1', text: t('1: the leader') },
  { value: '0', text: t('0: no acknowledgement') },
] as const;

const COMPRESSIONS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

const DELIVERIES = [
  { value: 'plain', text: t('At least once') },
  { value: 'idempotent', text: t('Idempotent: a repeat writes nothing') },
  { value: 'commit', text: t('In a transaction that commits') },
  { value: 'abort', text: t('In a transaction that aborts') },
] as const;

export class DeliveryOptions {
  readonly element: HTMLElement;
  readonly #timestamp;
  readonly #meaning = h('span', { class: 'dim' });
  readonly #acks;
  readonly #compression;
  readonly #delivery;
  readonly #problem = problemLine();

  constructor(onChange: () => void) {
    this.#timestamp = textField({
      label: t('Timestamp: milliseconds since the epoch or a date and time; empty for now'),
      placeholder: t('now'),
      onInput: () => {
        this.#showTime();
        onChange();
      },
    });
    this.#acks = dropdown({ label: t('Acks'), choices: ACKS, value: 'all', onChange });
    this.#compression = dropdown({
      label: t('Compression'),
      choices: COMPRESSIONS.map((value) => ({ value, text: value })),
      value: 'none',
      onChange,
    });
    this.#delivery = dropdown({
      label: t('Delivery'),
      choices: DELIVERIES,
      value: 'plain',
      onChange,
    });
    this.element = this.#layOut();
  }

  get isTimestampRead(): boolean {
    return readTimestamp(this.#timestamp.value) !== undefined;
  }

  /** Now, where the timestamp is no time. */
  get value(): Delivery {
    return {
      timestamp: readTimestamp(this.#timestamp.value) ?? null,
      acks: this.#acks.value,
      compression: this.#compression.value,
      delivery: this.#delivery.value,
    };
  }

  set(next: Delivery): void {
    this.#timestamp.value = next.timestamp ?? '';
    this.#acks.value = next.acks;
    this.#compression.value = next.compression;
    this.#delivery.value = next.delivery;
    this.#showTime();
  }

  showProblem(problem: string | undefined): void {
    this.#problem.set(problem);
  }

  #showTime(): void {
    const timestamp = readTimestamp(this.#timestamp.value);
    this.#timestamp.setInvalid(timestamp === undefined);
    setText(this.#meaning, timestamp ? formatTimestamp(timestamp).long : '');
  }

  #layOut(): HTMLElement {
    const labelled = (text: string, control: HTMLElement, more?: HTMLElement): HTMLElement =>
      h('div', { class: 'field' }, h('h2', {}, text), control, more);
    return h(
      'section',
      { class: 'delivery', 'aria-label': t('Delivery') },
      labelled(t('Timestamp'), this.#timestamp.element, this.#meaning),
      labelled(t('Acks'), this.#acks.element),
      labelled(t('Compression'), this.#compression.element),
      labelled(t('Delivery'), this.#delivery.element),
      this.#problem.element,
    );
  }
}
