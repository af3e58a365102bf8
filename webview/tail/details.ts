/** Everything about one record. */
import { t } from '../../src/base/l10n.ts';
import type { PayloadField } from '../../src/shared/contracts/decoders.ts';
import type { PayloadForm, RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import type { RecordLook, TakenPart } from '../../src/shared/contracts/tail.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';
import { button, iconButton } from '../kit/controls.ts';
import { fill, fillAgain, h, show } from '../kit/dom.ts';
import { formatInt64 } from '../kit/format.ts';
import { announce, toUserError } from '../kit/parts.ts';
import { decoderChoice, type DecoderChooser } from './decoderChoice.ts';
import { hasManyHeaders, headersSection } from './headersSection.ts';
import { LookedAt } from './lookedAt.ts';
import { payloadView } from './payloadView.ts';
import { factsSections } from './recordFacts.ts';

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
  /** Of a record that is not all here. */
  readonly onTake: (part: TakenPart) => void;
  readonly onProduceAgain: (record: RecordDetails, forms: ShownForms) => void;
  readonly onReplay: (record: RecordDetails) => void;
  readonly onCompare: (left: RecordPlace, right: RecordPlace) => void;
  readonly decoders: () => DecoderChooser;
  /** Stands between the list and the pane. */
  readonly divider: HTMLElement;
  readonly onClose: (hadFocus: boolean) => void;
  /** The record is looked at otherwise. */
  readonly onLook: () => void;
}

export class DetailsPane {
  readonly element = h('aside', { class: 'details', 'aria-label': t('Record'), hidden: true });
  readonly #options: DetailsOptions;
  readonly #content = h('div', { class: 'details-content' });
  #loading: AbortController | undefined;
  readonly #looked: LookedAt;
  #forms: ShownForms = {};
  #shown: RecordPlace | undefined;
  /** The record that another is to be compared with. */
  #compared: RecordPlace | undefined;

  constructor(options: DetailsOptions) {
    this.#options = options;
    this.#looked = new LookedAt(this.#content, () => options.onLook());
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

  get look(): RecordLook {
    return this.#looked.look;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Loads the record that is shown again, as it is read otherwise now. */
  async reload(): Promise<void> {
    this.#looked.forgetForms();
    if (this.isOpen && this.#shown) await this.open(this.#shown.partition, this.#shown.offset);
  }

  /** `look` is how it was looked at when it was left. */
  async open(partition: number, offset: string, look?: RecordLook): Promise<void> {
    const isSame = this.#shown?.partition === partition && this.#shown.offset === offset;
    if (!isSame || look) this.#looked.begin(look);
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
      label: t('Replay to...'),
      icon: 'again',
      title: t('Write this record to a topic of this or another cluster, byte for byte'),
      onClick: () => record && this.#options.onReplay(record),
    });
    const copy = button({
      label: t('Copy record'),
      icon: 'copy',
      title: t('Copy the whole record as JSON, its bytes in base64'),
      onClick: () => record && this.#copy(record),
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

  #copy(record: RecordDetails): void {
    const { onTake, onCopy } = this.#options;
    if (isWhole(record)) onCopy(JSON.stringify(record, undefined, 2));
    else onTake({ record: placeOf(record), of: 'record', to: 'clipboard' });
  }

  /** Takes the record as one of two; with the other it opens both. */
  #compareButton(record: RecordDetails): HTMLElement {
    const here = placeOf(record);
    const { partition, offset } = here;
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
      label: first ? t('Chosen to compare') : t('Compare...'),
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
    const decoders = this.#options.decoders();
    const looked = this.#looked;
    this.#forms = {};
    const headers = headersSection(record, {
      chooser: decoderChoice('headers', decoders),
      shown: looked.look.headers,
      onShown: (count) => looked.set({ headers: count }),
      onDrawn: () => looked.scroll(),
      onTake: (header, to, form) =>
        this.#options.onTake({ record: placeOf(record), of: { header }, form, to }),
    });
    const facts = factsSections(record);
    fillAgain(
      this.#content,
      this.#head(
        t('{0} / {1} at {2}', record.topic, record.partition, formatInt64(record.offset)),
        record,
      ),
      h(
        'div',
        { class: 'details-body' },
        this.#payload('value', record, decoders),
        h(
          'div',
          { class: 'details-side' },
          this.#payload('key', record, decoders),
          facts.record,
          // Nobody comes upon what stands below hundreds of them.
          ...(hasManyHeaders(record) ? [facts.batch, headers] : [headers, facts.batch]),
        ),
      ),
    );
    looked.scroll();
  }

  #payload(
    field: Exclude<PayloadField, 'headers'>,
    record: RecordDetails,
    decoders: DecoderChooser,
  ): HTMLElement {
    const looked = this.#looked;
    const isKey = field === 'key';
    const form = isKey ? 'keyForm' : 'valueForm';
    const cut = isKey ? record.cutKey : record.cutValue;
    return payloadView({
      title: isKey ? t('Key') : t('Value'),
      isNarrow: isKey,
      payload: record[field],
      meaningOfNull: isKey
        ? 'null'
        : t('null: a tombstone, which deletes the key where the topic is compacted'),
      form: looked.look[form],
      onForm: (chosen) => looked.set({ [form]: chosen }),
      onShown: (shown) => (this.#forms[form] = shown),
      isWhole: looked.isWhole(field),
      onWhole: (isWhole) => looked.setWhole(field, isWhole),
      onCopy: this.#options.onCopy,
      decoded: isKey ? record.decodedKey : record.decodedValue,
      cut: cut && {
        ...cut,
        onTake: (to, as) =>
          this.#options.onTake({ record: placeOf(record), of: field, form: as, to }),
      },
      chooser: decoderChoice(field, decoders),
    });
  }
}

function placeOf({ partition, offset }: RecordDetails): RecordPlace {
  return { partition, offset };
}

function isWhole({ cutKey, cutValue, headers }: RecordDetails): boolean {
  return !cutKey && !cutValue && !headers.some((header) => header.cutKey ?? header.cutValue);
}
