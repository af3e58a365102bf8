/** The record that is open below the list. It may be chosen before its row is here: then it opens when that comes. */
import { t } from '../../src/base/l10n.ts';
import type { DecoderKind, PayloadField } from '../../src/shared/contracts/decoders.ts';
import type {
  DecoderLabels,
  KeptRecord,
  RecordLook,
  tailHost,
} from '../../src/shared/contracts/tail.ts';
import type { RecordPlace, TailRow } from '../../src/shared/contracts/tailRows.ts';
import type { Host } from '../kit/host.ts';
import { splitter } from '../kit/parts.ts';
import { DetailsPane } from './details.ts';
import type { RecordActions } from './recordActions.ts';

export interface OpenedRecordOptions {
  readonly host: Host<typeof tailHost>;
  readonly actions: RecordActions;
  /** Undefined while it is not here yet. */
  readonly record: (row: number) => TailRow | undefined;
  readonly decoders: () => DecoderLabels | undefined;
  readonly onDecoder: (field: PayloadField, kind: DecoderKind) => void;
  /** Another record is open. */
  readonly onOpen: () => void;
  readonly onClose: (hadFocus: boolean) => void;
  /** It is looked at otherwise. */
  readonly onLook: () => void;
  /** As an earlier page had it, in pixels. */
  readonly height: number | undefined;
}

const AUTOMATIC: DecoderLabels = {
  key: { kind: 'auto', label: t('Automatic') },
  value: { kind: 'auto', label: t('Automatic') },
  headers: { kind: 'auto', label: t('Automatic') },
};

const LIST_HEIGHT_MIN = 160;
const PANE_HEIGHT_MIN = 80;

export class OpenedRecord {
  readonly #options: OpenedRecordOptions;
  readonly #pane: DetailsPane;
  #height: number | undefined;
  #awaited: { readonly row: number; readonly focus: boolean } | undefined;

  constructor(options: OpenedRecordOptions) {
    this.#options = options;
    const { host, actions } = options;
    this.#pane = new DetailsPane({
      load: (partition, offset, signal) => host.call('details', { partition, offset }, signal),
      divider: splitter(t('Height of the record pane'), (pixels) => this.#resize(pixels)),
      onCopy: (text) => void actions.copy(text),
      onTake: (part) => void actions.take(part),
      onCompare: (left, right) => void actions.compare(left, right),
      onProduceAgain: (record, forms) => void actions.produceAgain(record, forms),
      onReplay: (record) => void actions.replay(record),
      decoders: () => ({
        labels: options.decoders() ?? AUTOMATIC,
        onChoose: (field, kind) => options.onDecoder(field, kind),
      }),
      onClose: (hadFocus) => options.onClose(hadFocus),
      onLook: () => options.onLook(),
    });
    if (options.height !== undefined) this.#setHeight(options.height);
  }

  get element(): HTMLElement {
    return this.#pane.element;
  }

  get place(): RecordPlace | undefined {
    return this.#pane.shown;
  }

  /** The record that was opened last, and whether it still is. */
  get last(): KeptRecord | undefined {
    const { last, isOpen, look } = this.#pane;
    return last && { ...last, isOpen, look };
  }

  /** In pixels, where the person has chosen it. */
  get height(): number | undefined {
    return this.#height;
  }

  /** Opens a record wherever it is, as it was looked at where that is given. */
  async show({ partition, offset }: RecordPlace, look?: RecordLook): Promise<void> {
    const opened = this.#pane.open(partition, offset, look);
    this.#options.onOpen();
    await opened;
  }

  async open(row: number, focus = false): Promise<void> {
    const record = this.#options.record(row);
    const had = this.#awaited;
    this.#awaited = record ? undefined : { row, focus: focus || (had?.row === row && had.focus) };
    if (!record) return;
    if (record.note === undefined) await this.show(record);
    else this.#pane.openNote(record.note);
    if (!focus) return;
    const find = (selector: string): HTMLElement | null => this.element.querySelector(selector);
    (find('pre') ?? find('vscode-button'))?.focus();
  }

  /** Rows came. */
  onRows(): void {
    const { row, focus } = this.#awaited ?? {};
    if (row !== undefined && this.#options.record(row)) void this.open(row, focus);
  }

  /** It is read otherwise now. */
  async reload(): Promise<void> {
    await this.#pane.reload();
  }

  /** Rows are numbered anew. A record that is only read otherwise stays open. */
  reset({ stays }: { readonly stays: boolean }): void {
    if (!stays) this.#pane.forget();
    this.#awaited = undefined;
  }

  /** Returns the part of the page that is above it. */
  #resize(pixels: number): number {
    this.#setHeight(this.element.offsetHeight - pixels);
    this.#options.onLook();
    return 1 - (this.#height ?? 0) / document.body.clientHeight;
  }

  #setHeight(wanted: number): void {
    const most = document.body.clientHeight - LIST_HEIGHT_MIN;
    this.#height = Math.max(PANE_HEIGHT_MIN, Math.min(wanted, most));
    this.element.style.height = `${this.#height}px`;
  }
}
