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
  /** What the page was told last, and what it has looked at. */
  #told: TailProgress | undefined;
  #looked: TailProgress | undefined;

  constructor(options: SoughtRecordOptions) {
    this.#options = options;
  }

  /** What is sought. */
  get place(): KeptPosition | undefined {
    return this.#place;
  }

  /** Looks at once where the page was told of rows. */
  async seek(place: KeptPosition | undefined): Promise<void> {
    this.#place = place;
    this.#looked = undefined;
    await this.#lookForNews();
  }

  /** Looks again where rows came; gives up once everything that there is was read. */
  async onProgress(progress: TailProgress): Promise<void> {
    this.#told = progress;
    await this.#lookForNews();
  }

  async #lookForNews(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (let news = this.#news(); news; news = this.#news()) {
        this.#looked = news.told;
        await this.#look(news.place, news.told);
      }
    } finally {
      this.#isAsking = false;
    }
  }

  #news(): { readonly place: KeptPosition; readonly told: TailProgress } | undefined {
    const [place, told] = [this.#place, this.#told];
    return place && told && isNews(told, this.#looked) ? { place, told } : undefined;
  }

  async #look(place: KeptPosition, progress: TailProgress): Promise<void> {
    const row = await this.#options.find(progress.session, place);
    const told = this.#told ?? progress;
    if (this.#place !== place || told.session !== progress.session) return;
    // The host may have rows by now that the page will only be told of, and then it looks again.
    if (row !== undefined && row < endOf(told)) {
      this.#place = undefined;
      this.#options.onFound(row);
    } else if (row === undefined && isAllRead(progress)) {
      this.#place = undefined;
      // What is sought from here on is not in what was told so far.
      this.#told = undefined;
      this.#options.onLost?.(place);
    }
  }
}

const endOf = ({ dropped, held }: TailProgress): number => dropped + held;

function isAllRead({ state, filter }: TailProgress): boolean {
  return (state === 'live' || state === 'ended') && (filter?.pending ?? 0) === 0;
}

function isNews(told: TailProgress, looked: TailProgress | undefined): boolean {
  return (
    told.session !== looked?.session ||
    endOf(told) !== endOf(looked) ||
    isAllRead(told) !== isAllRead(looked)
  );
}
