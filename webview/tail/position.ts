/** Where somebody was in the list, by the record and not by its number, so that it outlives a reload. */
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { KeptPlace } from '../../src/shared/contracts/tail.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';

export interface PositionOptions {
  readonly find: (session: number, place: RecordPlace) => Promise<number | undefined>;
  readonly onFound: (row: number) => void;
  /** Everything that there is was read, and the record is not in it. */
  readonly onLost?: (place: KeptPlace) => void;
}

export class SoughtPosition {
  readonly #options: PositionOptions;
  #place: KeptPlace | undefined;
  #isAsking = false;
  #lastEnd = -1;

  constructor(options: PositionOptions) {
    this.#options = options;
  }

  get isSought(): boolean {
    return this.#place !== undefined;
  }

  seek(place: KeptPlace | undefined): void {
    this.#place = place;
    this.#lastEnd = -1;
  }

  /** Looks again where rows came; gives up once everything that there is was read. */
  async onProgress({ session, held, dropped, state }: TailProgress): Promise<void> {
    const place = this.#place;
    const end = dropped + held;
    if (!place || this.#isAsking || end === this.#lastEnd) return;
    this.#isAsking = true;
    try {
      const row = await this.#options.find(session, place);
      if (this.#place !== place) return;
      this.#lastEnd = end;
      if (row !== undefined) {
        this.#place = undefined;
        this.#options.onFound(row);
      } else if (state === 'live' || state === 'ended') {
        this.#place = undefined;
        this.#options.onLost?.(place);
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
