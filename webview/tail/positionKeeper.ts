/** Where the list stands, kept over a reload, and found again by a page that comes after. */
import { t } from '../../src/base/l10n.ts';
import type { KeptPosition } from '../../src/shared/contracts/tail.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { formatSeek, parseSeek } from '../../src/shared/seek.ts';
import { noticeLine } from '../kit/parts.ts';
import { SoughtRecord, type SoughtRecordOptions } from './soughtRecord.ts';

export interface PositionKeeperOptions extends SoughtRecordOptions {
  /** The record at the top is another; undefined where the list follows its end. */
  readonly onChange: () => void;
  /** Where the tail starts. */
  readonly from: () => string;
  readonly seek: (from: string) => void;
  /** The list stands where it is to stand: the kept position was found, or is gone. */
  readonly onSettled: () => void;
}

export class PositionKeeper {
  readonly #options: PositionKeeperOptions;
  readonly #notice = noticeLine();
  readonly element = this.#notice.element;
  readonly #sought: SoughtRecord;
  #at: KeptPosition | undefined;
  /** Where the tail started before it was started from the kept position. */
  #before: string | undefined;

  constructor(at: KeptPosition | undefined, options: PositionKeeperOptions) {
    this.#options = options;
    this.#at = at;
    this.#sought = new SoughtRecord({
      ...options,
      onFound: (row) => {
        options.onFound(row);
        options.onSettled();
      },
      onLost: (place) => this.#reach(place),
    });
    void this.#sought.seek(at);
  }

  get at(): KeptPosition | undefined {
    return this.#at;
  }

  /** The kept position is not found yet. */
  get isSought(): boolean {
    return this.#sought.place !== undefined;
  }

  /** The list stands at a row; undefined: it follows its end. While the kept position is sought, that stays. */
  note(top: TailRow | undefined): void {
    if (this.#sought.place) return;
    if (top?.partition === this.#at?.partition && top?.offset === this.#at?.offset) return;
    this.#at = top && { partition: top.partition, offset: top.offset, timestamp: top.timestamp };
    this.#options.onChange();
  }

  onProgress(progress: TailProgress): Promise<void> {
    return this.#sought.onProgress(progress);
  }

  /** The person has chosen another start: what was is not sought any more. */
  forget(): void {
    void this.#sought.seek(undefined);
    this.#notice.show(undefined);
  }

  /** Everything was read, and the record is not in it: where the start goes with the time, it has gone past it. */
  #reach(place: KeptPosition): void {
    const from = this.#options.from();
    const { timestamp } = place;
    if (this.#before !== undefined || !movesOn(from) || !timestamp || timestamp.startsWith('-')) {
      this.#notice.show(t('The record that you were at is not there any more.'), {
        label: t('Dismiss'),
        onClick: () => this.#notice.show(undefined),
      });
      this.#options.onSettled();
      return;
    }
    this.#before = from;
    void this.#sought.seek(place);
    this.#options.seek(formatSeek({ start: { kind: 'time', epochMs: Number(timestamp) } }));
    this.#notice.show(t('Started from the record that you were at: {0} does not reach it.', from), {
      label: t('Back to {0}', from),
      onClick: () => {
        this.forget();
        this.#options.seek(from);
      },
    });
  }
}

/** Whether a start is another place in the log as time goes on. */
function movesOn(from: string): boolean {
  try {
    return ['latest', 'last', 'ago', 'group'].includes(parseSeek(from).start.kind);
  } catch {
    return false;
  }
}
