/** The histogram, counted again when its counts may have changed, but not more often than a person can follow. */
import type { tailHost } from '../../src/shared/contracts/tail.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { TimeSpan } from '../../src/shared/contracts/tailQuery.ts';
import type { Host } from '../kit/host.ts';
import { HistogramView } from './histogram.ts';
import { Repeated } from './repeated.ts';

const COUNT_EVERY_MS = 500;

export interface RecordCountsOptions {
  readonly host: Host<typeof tailHost>;
  /** The span of time that is looked at; undefined: all times. */
  readonly within: () => TimeSpan | undefined;
  readonly onBrush: (within: TimeSpan | undefined) => void;
}

export class RecordCounts {
  readonly #view: HistogramView;
  readonly #counting: Repeated;
  #counted = '';

  constructor({ host, within, onBrush }: RecordCountsOptions) {
    this.#view = new HistogramView({ onBrush });
    this.#counting = new Repeated(COUNT_EVERY_MS, async () => {
      const { histogram } = await host.call('histogram', {});
      this.#view.set(histogram, within());
    });
  }

  get element(): HTMLElement {
    return this.#view.element;
  }

  /** Another span of time is looked at. */
  now(): Promise<void> {
    return this.#counting.now();
  }

  onProgress({ session, held, dropped, filter }: TailProgress): void {
    const counts = [session, held, dropped, filter?.matched, filter?.elsewhen].join();
    if (counts === this.#counted) return;
    this.#counted = counts;
    this.#counting.soon();
  }
}
