/**
 * The record that is to be opened, as the host asks, or that an earlier page left open: sought until its row is here.
 */
import type { KeptRecord } from '../../src/shared/contracts/tail.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';
import { SoughtRecord, type SoughtRecordOptions } from './soughtRecord.ts';

export interface RecordToOpenOptions extends Pick<SoughtRecordOptions, 'find'> {
  /** The row of the record that the host has asked for. */
  readonly onFound: (row: number) => void;
  /** The row that was selected, and whether its record is open. */
  readonly onFoundAgain: (row: number, isOpen: boolean) => void;
  /** The record that was open can be read. */
  readonly onOpen: (record: KeptRecord) => void;
}

export class RecordToOpen {
  readonly #sought: SoughtRecord;
  readonly #options: RecordToOpenOptions;
  #left: KeptRecord | undefined;
  /** As it was left, until there is a tail to read it from. */
  #toRead: KeptRecord | undefined;
  #asked: RecordPlace | undefined;

  constructor(
    kept: { readonly record?: KeptRecord | undefined; readonly asked?: RecordPlace | undefined },
    options: RecordToOpenOptions,
  ) {
    this.#options = options;
    this.#left = this.#toRead = kept.record;
    this.#asked = kept.asked;
    this.#sought = new SoughtRecord({
      find: options.find,
      onFound: (row) => {
        if (this.#left) options.onFoundAgain(row, this.#left.isOpen);
        else options.onFound(row);
      },
    });
    if (kept.record) void this.#sought.seek(kept.record);
  }

  /** What the host has asked for last. */
  get asked(): RecordPlace | undefined {
    return this.#asked;
  }

  /** What is sought, for a page that comes after this one. */
  get sought(): KeptRecord | undefined {
    const { place } = this.#sought;
    return place && (this.#left ?? { ...place, isOpen: true });
  }

  /** Whether an earlier page was asked for it as well: what it left is newer. */
  isOld(place: RecordPlace | undefined): boolean {
    return place?.partition === this.#asked?.partition && place?.offset === this.#asked?.offset;
  }

  async ask(place: RecordPlace): Promise<void> {
    this.#asked = place;
    this.#left = this.#toRead = undefined;
    await this.#sought.seek(place);
  }

  /** Another session begins. */
  onSession({ state }: TailProgress): void {
    if (state === 'failed') return;
    if (this.#toRead?.isOpen) this.#options.onOpen(this.#toRead);
    this.#toRead = undefined;
  }

  async onProgress(progress: TailProgress): Promise<void> {
    await this.#sought.onProgress(progress);
  }

  /** The person has chosen another. */
  forget(): void {
    this.#left = this.#toRead = undefined;
    void this.#sought.seek(undefined);
  }
}
