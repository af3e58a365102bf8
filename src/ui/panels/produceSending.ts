/** What a produce panel has under way of many records: it outlives the page, and the panel too. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { ManyProgress, ManyResult } from '../../shared/contracts/produce.ts';
import { ignoreCancelled, type Progress, withProgress } from '../commands/prompts.ts';
import { counted, grouped } from '../text.ts';
import { toUserError } from './words.ts';

/** How one run reports and is ended. */
export interface ManyRun {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ManyProgress) => void;
}

interface Running {
  readonly topic: string;
  readonly end: Promise<ManyResult>;
  readonly controller: AbortController;
  progress: ManyProgress;
  tell: (progress: ManyProgress) => void;
}

/**
 * Sends many records, one lot at a time. A panel that is closed meanwhile hands it over to a notification: half of
 * it would be written already, and whoever closes a tab has not said that it should end.
 */
export class ManySending implements Disposable {
  readonly #tellPage: (progress: ManyProgress) => void;
  #running: Running | undefined;

  constructor(tellPage: (progress: ManyProgress) => void) {
    this.#tellPage = tellPage;
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
    const running: Running = {
      topic,
      controller,
      end: resultOf(send({ signal, onProgress }), signal),
      progress: { sent: 0, total: null, perSecond: 0 },
      tell: this.#tellPage,
    };
    this.#running = running;
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
    if (this.#running) void showOutside(this.#running);
  }
}

async function resultOf(sending: Promise<ManyResult>, signal: AbortSignal): Promise<ManyResult> {
  try {
    return await sending;
  } catch (error) {
    return { sent: 0, skipped: 0, cancelled: signal.aborted, error: toUserError(error) };
  }
}

async function showOutside(running: Running): Promise<void> {
  const { topic, end, controller } = running;
  const follow = ({ report, signal }: Progress): Promise<ManyResult> => {
    signal.addEventListener('abort', () => controller.abort(), { once: true });
    running.tell = ({ sent, total }) => {
      if (total === null) report(counted(sent, 'record'));
      else report(t('{0} of {1}', grouped(sent), grouped(total)), sent / total);
    };
    running.tell(running.progress);
    return end;
  };
  await ignoreCancelled(withProgress(t('Sending records to {0}', topic), follow));
  tellEnd(topic, await end);
}

function tellEnd(topic: string, { sent, cancelled, error }: ManyResult): void {
  const records = counted(sent, 'record');
  if (error) {
    const words = t('{0} sent to {1}, then it failed: {2}', records, topic, error.message);
    void vscode.window.showErrorMessage([words, error.hint ?? ''].join(' ').trim());
  } else if (cancelled) {
    void vscode.window.showWarningMessage(t('{0} sent to {1}, then cancelled.', records, topic));
  } else {
    void vscode.window.showInformationMessage(t('{0} sent to {1}.', records, topic));
  }
}
