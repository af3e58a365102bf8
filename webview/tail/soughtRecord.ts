/** Looks for a record among the rows as they come: its row has another number in every session. */
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { KeptPosition } from '../../src/shared/contracts/tail.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';

export interface SoughtRecordOptions {
  readonly find: (session: number, place: RecordPlace) => Promise<number | undefined>;
  readonly onFound: (row: number) => void;
  /** Everything that there is was read, and the record is not in it. */
  readonly onLost?: (place: KeptPosition) => void;
}

export class SoughtRecord {
  readonly #options: SoughtRecordOptions;
  #place: KeptPosition | undefined;
  #isAsking = false;
  #lastEnd = -1;

  constructor(options: SoughtRecordOptions) {
    this.#options = options;
  }

  get isSought(): boolean {
    return this.#place !== undefined;
  }

  seek(place: KeptPosition | undefined): void {
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
