/** What a produce panel has under way of many records: it outlives the page, and the panel too. */
import type { Disposable } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { ManyProgress, ManyResult } from '../../shared/contracts/produce.ts';
import { toUserError } from './words.ts';

/** How one run reports and is ended. */
export interface ManyRun {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ManyProgress) => void;
}

/** A run that is under way. */
export interface Sending {
  readonly topic: string;
  readonly end: Promise<ManyResult>;
  readonly controller: AbortController;
  progress: ManyProgress;
  /** Who is told how far it is. */
  tell: (progress: ManyProgress) => void;
}

interface ManySendingOptions {
  readonly tellPage: (progress: ManyProgress) => void;
  /** The panel is closed: somebody else shows the run from now on. */
  readonly takeOver: (sending: Sending) => void;
}

/**
 * Sends many records, one lot at a time. A panel that is closed meanwhile, or before the file to send is chosen, hands
 * it over: half of it would be written already, and whoever closes a tab has not said that it should end.
 */
export class ManySending implements Disposable {
  readonly #options: ManySendingOptions;
  #running: Sending | undefined;
  #isDisposed = false;

  constructor(options: ManySendingOptions) {
    this.#options = options;
  }

  /** How far it is; undefined where nothing is under way. */
  get progress(): ManyProgress | undefined {
    return this.#running?.progress;
  }

  async start(topic: string, send: (run: ManyRun) => Promise<ManyResult>): Promise<ManyResult> {
    if (this.#running) throw new Error(t('Records are being sent already.'));
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = (progress: ManyProgress): void => {
      running.progress = progress;
      running.tell(progress);
    };
    const running: Sending = {
      topic,
      controller,
      end: resultOf(send({ signal, onProgress }), signal),
      progress: { sent: 0, total: null, perSecond: 0 },
      tell: this.#options.tellPage,
    };
    this.#running = running;
    if (this.#isDisposed) this.#options.takeOver(running);
    try {
      return await running.end;
    } finally {
      this.#running = undefined;
    }
  }

  /** For a page that comes back to it. */
  async wait(): Promise<ManyResult | undefined> {
    return this.#running?.end;
  }

  cancel(): void {
    this.#running?.controller.abort();
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#running) this.#options.takeOver(this.#running);
  }
}

async function resultOf(sending: Promise<ManyResult>, signal: AbortSignal): Promise<ManyResult> {
  try {
    return await sending;
  } catch (error) {
    return { sent: 0, skipped: 0, cancelled: signal.aborted, error: toUserError(error) };
  }
}
