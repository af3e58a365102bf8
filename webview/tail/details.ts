/** Everything about one record. */
import { t } from '../../src/base/l10n.ts';
import type { PayloadForm, RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';
import { button, iconButton } from '../kit/controls.ts';
import { fill, fillAgain, h, show } from '../kit/dom.ts';
import { formatInt64 } from '../kit/format.ts';
import { announce, toUserError } from '../kit/parts.ts';
import { decoderChoice, type DecoderChooser } from './decoderChoice.ts';
import { payloadView } from './payloadView.ts';
import { factsSections, headersSection } from './recordFacts.ts';

/** The forms that key and value are shown in; null and empty have none. */
export interface ShownForms {
  keyForm?: PayloadForm;
  valueForm?: PayloadForm;
}

export interface DetailsOptions {
  readonly load: (
    partition: number,
    offset: string,
    signal: AbortSignal,
  ) => Promise<{ record?: RecordDetails | undefined; error?: { message: string } | undefined }>;
  readonly onCopy: (text: string) => void;
  readonly onProduceAgain: (record: RecordDetails, forms: ShownForms) => void;
  readonly onReplay: (record: RecordDetails) => void;
  readonly onCompare: (left: RecordPlace, right: RecordPlace) => void;
  readonly decoders: () => DecoderChooser;
  /** Stands between the list and the pane. */
  readonly divider: HTMLElement;
  readonly onClose: (hadFocus: boolean) => void;
}

export class DetailsPane {
  readonly element = h('aside', { class: 'details', 'aria-label': t('Record'), hidden: true });
  readonly #options: DetailsOptions;
  readonly #content = h('div', { class: 'details-content' });
  #loading: AbortController | undefined;
  #keyForm: PayloadForm | undefined;
  #valueForm: PayloadForm | undefined;
  #forms: ShownForms = {};
  #shown: RecordPlace | undefined;
  /** The record that another is to be compared with. */
  #compared: RecordPlace | undefined;

  constructor(options: DetailsOptions) {
    this.#options = options;
    this.element.append(options.divider, this.#content);
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
  }

  /** The record that is open. */
  get shown(): RecordPlace | undefined {
    return this.isOpen ? this.#shown : undefined;
  }

  /** The record that is open, or was before it was closed. */
  get last(): RecordPlace | undefined {
    return this.#shown;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Loads the record that is shown again, as it is read otherwise now. */
  async reload(): Promise<void> {
    this.#keyForm = undefined;
    this.#valueForm = undefined;
    if (this.isOpen && this.#shown) await this.open(this.#shown.partition, this.#shown.offset);
  }

  async open(partition: number, offset: string): Promise<void> {
    this.#shown = { partition, offset };
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    show(this.element, true);
    try {
      const { record, error } = await this.#options.load(partition, offset, loading.signal);
      if (loading.signal.aborted) return;
      if (record) this.#draw(record);
      else this.#drawProblem(partition, offset, error?.message ?? t('It is not there any more.'));
    } catch (error) {
      if (!loading.signal.aborted) this.#drawProblem(partition, offset, toUserError(error).message);
    }
  }

  /** Shows a row that is no record. */
  openNote(note: string): void {
    this.#loading?.abort();
    this.#shown = undefined;
    show(this.element, true);
    fill(
      this.#content,
      this.#head(t('Between records')),
      h('p', { class: 'details-problem' }, note),
    );
  }

  /** Closes it, and what it has shown is none of the records any more. */
  forget(): void {
    this.#shown = undefined;
    this.close();
  }

  close(): void {
    this.#loading?.abort();
    if (!this.isOpen) return;
    const hadFocus = this.element.contains(document.activeElement);
    show(this.element, false);
    this.#options.onClose(hadFocus);
  }

  #drawProblem(partition: number, offset: string, message: string): void {
    fill(
      this.#content,
      this.#head(t('Partition {0}, offset {1}', partition, formatInt64(offset))),
      h(
        'p',
        { class: 'details-problem', role: 'alert' },
        t('This record could not be read: {0}', message),
      ),
    );
  }

  #head(title: string, record?: RecordDetails): HTMLElement {
    const close = iconButton({
      label: t('Close details (Escape)'),
      icon: 'close',
      onClick: () => this.close(),
    });
    const again = button({
      label: t('Produce again'),
      icon: 'send',
      title: t('Open the produce panel with this record, to edit it and send it'),
      onClick: () => record && this.#options.onProduceAgain(record, this.#forms),
    });
    const replay = button({
      label: t('Replay to …'),
      icon: 'again',
      title: t('Write this record to a topic of this or another cluster, byte for byte'),
      onClick: () => record && this.#options.onReplay(record),
    });
    const copy = button({
      label: t('Copy record'),
      icon: 'copy',
      title: t('Copy the whole record as JSON, its bytes in base64'),
      onClick: () => this.#options.onCopy(JSON.stringify(record, undefined, 2)),
    });
    return h(
      'header',
      { class: 'details-head' },
      h('strong', {}, title),
      record &&
        h(
          'div',
          { class: 'details-actions' },
          again.element,
          replay.element,
          this.#compareButton(record),
          copy.element,
        ),
      close.element,
    );
  }

  /** Takes the record as one of two; with the other it opens both. */
  #compareButton({ partition, offset }: RecordDetails): HTMLElement {
    const here: RecordPlace = { partition, offset };
    const first = this.#compared;
    const isOther = first && (first.partition !== partition || first.offset !== offset);
    if (isOther) {
      return button({
        label: t('Compare with {0} at {1}', first.partition, formatInt64(first.offset)),
        icon: 'compare',
        primary: true,
        title: t('Show both beside each other, in the editor'),
        onClick: () => {
          this.#compared = undefined;
          this.#options.onCompare(first, here);
        },
      }).element;
    }
    const take = button({
      label: first ? t('Chosen to compare') : t('Compare …'),
      icon: first ? 'check' : 'compare',
      title: t('Choose this record; then open another and compare it with this one'),
      onClick: () => {
        this.#compared = here;
        take.setLabel(t('Chosen to compare'), 'check');
        announce(t('Open another record to compare it with this one'));
      },
    });
    return take.element;
  }

  #draw(record: RecordDetails): void {
    const { onCopy } = this.#options;
    const decoders = this.#options.decoders();
    const forms: ShownForms = (this.#forms = {});
    fillAgain(
      this.#content,
      this.#head(
        t('{0} / {1} at {2}', record.topic, record.partition, formatInt64(record.offset)),
        record,
      ),
      h(
        'div',
        { class: 'details-body' },
        payloadView({
          title: t('Value'),
          payload: record.value,
          meaningOfNull: t('null: a tombstone, which deletes the key where the topic is compacted'),
          form: this.#valueForm,
          onForm: (form) => (this.#valueForm = form),
          onShown: (form) => (forms.valueForm = form),
          onCopy,
          decoded: record.decodedValue,
          chooser: decoderChoice('value', decoders),
        }),
        h(
          'div',
          { class: 'details-side' },
          payloadView({
            title: t('Key'),
            isNarrow: true,
            payload: record.key,
            meaningOfNull: 'null',
            form: this.#keyForm,
            onForm: (form) => (this.#keyForm = form),
            onShown: (form) => (forms.keyForm = form),
            onCopy,
            decoded: record.decodedKey,
            chooser: decoderChoice('key', decoders),
          }),
          headersSection(record, decoderChoice('headers', decoders)),
          ...factsSections(record),
        ),
      ),
    );
  }
}
