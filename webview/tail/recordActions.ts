/** What becomes of a tail's records outside of it: copied, compared, written to a file or to a topic. */
import { t } from '../../src/base/l10n.ts';
import { copiedLengthMax, type UserError } from '../../src/shared/contracts/common.ts';
import type { tailHost, TakenPart } from '../../src/shared/contracts/tail.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';
import { button } from '../kit/controls.ts';
import type { Host } from '../kit/host.ts';
import { announce, type Banner, toUserError } from '../kit/parts.ts';
import type { ShownForms } from './details.ts';

export interface RecordActionsOptions {
  readonly host: Host<typeof tailHost>;
  readonly banner: Banner;
  /** The record that is open. */
  readonly shown: () => RecordPlace | undefined;
}

export class RecordActions {
  readonly #options: RecordActionsOptions;
  /** For the end of the toolbar: of all records that are shown, and of the view itself. */
  readonly buttons: readonly HTMLElement[];

  constructor(options: RecordActionsOptions) {
    this.#options = options;
    const linkWords = t('Copy a link that opens this view, with the record that is open');
    const link = button({
      label: t('Link'),
      name: linkWords,
      title: linkWords,
      icon: 'link',
      onClick: () => void this.#copyLink(),
    });
    const replayer = button({
      label: t('Replay...'),
      icon: 'again',
      title: t(
        'Write the records that are shown to a topic of this or another cluster, byte for byte',
      ),
      onClick: () => void this.replay(),
    });
    const exporter = button({
      label: t('Export...'),
      icon: 'toFile',
      title: t(
        'Write the records that are shown, or all that are held, to a file: JSON lines (.jsonl) or CSV (.csv)',
      ),
      onClick: () => void this.#export(),
    });
    this.buttons = [link.element, replayer.element, exporter.element];
  }

  async copy(text: string): Promise<void> {
    if (text.length > copiedLengthMax) {
      this.#options.banner.show({
        message: t('This is too long for the clipboard.'),
        hint: t('Export the record to a file instead.'),
      });
      return;
    }
    if (await this.#done(() => this.#options.host.call('copy', { text }))) announce(t('Copied'));
  }

  /** Of a record that is not all in the page: the host does it, and may ask where to. */
  async take(part: TakenPart): Promise<void> {
    const { host } = this.#options;
    const isDone = await this.#done(() => host.callWithoutDeadline('takePart', part));
    if (isDone && part.to === 'clipboard') announce(t('Copied'));
  }

  async compare(left: RecordPlace, right: RecordPlace): Promise<void> {
    await this.#done(() => this.#options.host.call('compare', { left, right }));
  }

  async produceAgain({ partition, offset }: RecordPlace, forms: ShownForms): Promise<void> {
    const record = { partition, offset, ...forms };
    await this.#done(() => this.#options.host.call('produceAgain', record));
  }

  /** One record, or all that are shown. */
  async replay(of?: RecordPlace): Promise<void> {
    const record = of && { partition: of.partition, offset: of.offset };
    const { banner, host } = this.#options;
    if (await this.#done(() => host.callWithoutDeadline('replay', { record })))
      banner.show(undefined);
  }

  async #copyLink(): Promise<void> {
    const { host, shown } = this.#options;
    if (await this.#done(() => host.call('copyLink', { record: shown() }))) announce(t('Copied'));
  }

  async #export(): Promise<void> {
    await this.#done(() => this.#options.host.callWithoutDeadline('exportRecords', {}));
  }

  /** Whether it could be done; else the banner says why not. */
  async #done(action: () => Promise<{ readonly error?: UserError | undefined }>): Promise<boolean> {
    const { banner } = this.#options;
    try {
      const { error } = await action();
      if (error) banner.show(error);
      return error === undefined;
    } catch (error) {
      banner.show(toUserError(error));
      return false;
    }
  }
}
