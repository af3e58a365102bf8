/** Sending many records: the draft as a template, or a file. */
import type * as v from 'valibot';
import { t } from '../../src/base/l10n.ts';
import type {
  ManyOptions,
  ManyProgress,
  ManyResult,
  produceState,
} from '../../src/shared/contracts/produce.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import { button, textField } from '../kit/controls.ts';
import { fill, h, setText, show } from '../kit/dom.ts';
import { count, formatInt64 } from '../kit/format.ts';
import { announce, toUserError } from '../kit/parts.ts';
import { readCount, readRate } from './draftRules.ts';

type ManyTyped = NonNullable<v.InferOutput<typeof produceState>['many']>;

export interface ManyActions {
  readonly sendMany: (options: ManyOptions) => Promise<ManyResult>;
  /** Undefined where no file was chosen. */
  readonly sendFile: (perSecond: number | null) => Promise<ManyResult | undefined>;
  /** Waits for what is under way already. */
  readonly wait: () => Promise<ManyResult | undefined>;
  /** Ends what is under way, which then answers how far it came. */
  readonly cancel: () => void;
  readonly sample: () => Promise<{ values: string[]; error?: UserError | undefined }>;
  /** Something was typed, or the section opened or closed. */
  readonly onInput: () => void;
  readonly onError: (error: UserError | undefined) => void;
}

const HELP = t(
  'Text may hold {{n}}, {{uuid}}, {{now}}, {{isoNow}}, {{int 1 100}}, {{decimal 1 100 2}} and {{pick a b c}}, filled in for each record.',
);

export class ManySection {
  readonly element: HTMLDetailsElement;
  readonly #actions: ManyActions;
  readonly #count = textField({
    label: t('How many records'),
    value: '100',
    onInput: () => this.#typed(),
  });
  readonly #rate = textField({
    label: t('Records per second; empty: as fast as the cluster takes them'),
    placeholder: t('no limit'),
    onInput: () => this.#typed(),
  });
  readonly #send = button({
    label: t('Send many'),
    icon: 'send',
    onClick: () => void this.#sendMany(),
  });
  readonly #file = button({ label: t('From a file...'), onClick: () => void this.#sendFile() });
  readonly #try = button({ label: t('Show examples'), onClick: () => void this.#sample() });
  readonly #cancel = button({
    label: t('Cancel'),
    icon: 'close',
    onClick: () => this.#actions.cancel(),
  });
  readonly #why = h('p', { class: 'many-why', hidden: true });
  readonly #progress = h('progress', { 'aria-label': t('Records sent'), hidden: true });
  readonly #status = h('p', { class: 'many-status', role: 'status' });
  readonly #samples = h('ol', { class: 'samples', 'aria-label': t('Examples'), hidden: true });
  /** A template opened it already: whoever closes it after that wants it closed. */
  #isOffered = false;
  #isRunning = false;
  #refusal: string | undefined;
  #shorter: string | undefined;

  constructor(actions: ManyActions) {
    this.#actions = actions;
    show(this.#cancel.element, false);
    const labelled = (text: string, control: HTMLElement): HTMLElement =>
      h('div', { class: 'field' }, h('h2', {}, text), control);
    this.element = h(
      'details',
      { class: 'fold many', ontoggle: () => this.#typed() },
      h('summary', {}, t('Send many')),
      h('p', { class: 'dim' }, HELP),
      h(
        'div',
        { class: 'many-figures' },
        labelled(t('Records'), this.#count.element),
        labelled(t('Per second'), this.#rate.element),
      ),
      h(
        'div',
        { class: 'row' },
        ...[this.#cancel, this.#send, this.#file, this.#try].map(({ element }) => element),
      ),
      this.#why,
      this.#progress,
      this.#status,
      this.#samples,
    );
  }

  /** As it is typed, right or wrong. */
  get typed(): ManyTyped {
    return { isOpen: this.element.open, count: this.#count.value, rate: this.#rate.value };
  }

  set({ isOpen, count: howMany, rate }: ManyTyped): void {
    this.element.open = isOpen;
    this.#isOffered = true;
    this.#count.value = howMany;
    this.#rate.value = rate;
    this.#check();
  }

  /** Why nothing can be sent now, in words; undefined where it can. `shorter`: what is wrong stands elsewhere. */
  setRefusal(refusal: string | undefined, shorter: string | undefined): void {
    this.#refusal = refusal;
    this.#shorter = shorter;
    this.#check();
  }

  /** Opens it, once, where the draft can be sent in no other way. */
  offer(isOnlyWay: boolean): void {
    if (isOnlyWay && !this.#isOffered) this.element.open = true;
    this.#isOffered = isOnlyWay;
  }

  /** Goes on showing what was under way before this page was there. */
  async resume(progress: ManyProgress): Promise<void> {
    if (this.#isRunning) return;
    this.element.open = true;
    const ended = this.#run(() => this.#actions.wait());
    this.showProgress(progress);
    await ended;
  }

  showProgress({ sent, total, perSecond }: ManyProgress): void {
    if (!this.#isRunning) return;
    if (total === null) this.#progress.removeAttribute('value');
    else {
      this.#progress.max = total;
      this.#progress.value = sent;
    }
    const done = formatInt64(String(sent));
    const rate = formatInt64(String(Math.round(perSecond)));
    setText(
      this.#status,
      total === null
        ? t('{0} sent · {1} a second', done, rate)
        : t('{0} of {1} sent · {2} a second', done, formatInt64(String(total)), rate),
    );
  }

  #typed(): void {
    this.#check();
    this.#actions.onInput();
  }

  #check(): void {
    const many = readCount(this.#count.value);
    const rate = readRate(this.#rate.value);
    this.#count.setInvalid(many === undefined);
    this.#rate.setInvalid(rate === undefined);
    const busy = this.#isRunning ? t('Sending …') : this.#refusal;
    const wrongRate = rate === undefined ? t('The rate is a number above 0, or empty.') : undefined;
    const wrongCount = many === undefined ? t('A whole number from 1 to 10,000,000.') : undefined;
    const refusal = this.#refusal && (this.#shorter ?? this.#refusal);
    const isAsked = this.element.open && !this.#isRunning;
    const why = isAsked ? (refusal ?? wrongRate ?? wrongCount) : undefined;
    setText(this.#why, why ?? '');
    show(this.#why, why !== undefined);
    this.#file.setDisabled(busy ?? wrongRate);
    this.#send.setDisabled(busy ?? wrongRate ?? wrongCount);
  }

  async #sendMany(): Promise<void> {
    const many = readCount(this.#count.value);
    const perSecond = readRate(this.#rate.value);
    if (many === undefined || perSecond === undefined) return;
    await this.#run(() => this.#actions.sendMany({ count: many, perSecond }));
  }

  async #sendFile(): Promise<void> {
    const perSecond = readRate(this.#rate.value);
    if (perSecond === undefined) return;
    await this.#run(() => this.#actions.sendFile(perSecond));
  }

  async #run(send: () => Promise<ManyResult | undefined>): Promise<void> {
    this.#actions.onError(undefined);
    setText(this.#status, '');
    this.#showRunning(true);
    try {
      const result = await send();
      if (result) this.#showResult(result);
    } catch (error) {
      this.#actions.onError(toUserError(error));
    } finally {
      this.#showRunning(false);
    }
  }

  #showRunning(isRunning: boolean): void {
    this.#isRunning = isRunning;
    for (const part of [this.#progress, this.#cancel.element]) show(part, isRunning);
    for (const { element } of [this.#send, this.#file]) show(element, !isRunning);
    this.#check();
  }

  #showResult({ sent, skipped, firstSkipped, cancelled, error }: ManyResult): void {
    const words = [
      cancelled
        ? t('{0} sent, then cancelled', count(sent, 'record'))
        : t('{0} sent', count(sent, 'record')),
      ...(skipped > 0
        ? [t('{0} left out, first {1}', count(skipped, 'line'), firstSkipped ?? '')]
        : []),
    ].join(' · ');
    setText(this.#status, words);
    announce(words);
    this.#actions.onError(error);
  }

  async #sample(): Promise<void> {
    try {
      const { values, error } = await this.#actions.sample();
      this.#actions.onError(error);
      show(this.#samples, values.length > 0);
      fill(this.#samples, ...values.map((value) => h('li', {}, h('code', {}, value))));
    } catch (error) {
      this.#actions.onError(toUserError(error));
    }
  }
}
