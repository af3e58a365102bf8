/** What a page finds again that an earlier one left: the record that was open, and the one that the list stood at. */
import type { tailHost, TailState } from '../../src/shared/contracts/tail.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';
import type { Host } from '../kit/host.ts';
import type { OpenedRecord } from './openedRecord.ts';
import { PositionKeeper } from './positionKeeper.ts';
import type { RecordsView } from './recordsView.ts';
import { RecordToOpen } from './recordToOpen.ts';

export interface FoundAgainOptions {
  readonly host: Host<typeof tailHost>;
  readonly records: RecordsView;
  readonly opened: OpenedRecord;
  /** Where the tail starts. */
  readonly from: () => string;
  /** Starts it elsewhere. */
  readonly seek: (from: string) => void;
  /** There is something else to be left to a page that comes after this one. */
  readonly onChange: () => void;
}

export interface FoundAgain {
  readonly toOpen: RecordToOpen;
  readonly position: PositionKeeper;
  /** The list may stand elsewhere. */
  readonly noteTop: () => void;
}

export function foundAgain(kept: TailState | undefined, options: FoundAgainOptions): FoundAgain {
  const { host, records, opened, from, seek, onChange } = options;
  const find = async (session: number, place: RecordPlace): Promise<number | undefined> =>
    (await host.call('findRow', { session, ...place })).row;
  const toOpen = new RecordToOpen(kept ?? {}, {
    find,
    onFound: (row) => records.select(row),
    onFoundAgain: (row, isOpen) => {
      records.mark(row);
      // Once, when the list stands where it stood: what is open is in sight.
      if (isOpen && !position.isSought) records.revealSelected();
      onChange();
    },
    onOpen: (record) => void opened.show(record, record.look),
  });
  const position = new PositionKeeper(kept?.at, {
    find,
    onFound: (row) => records.showAtTop(row),
    onSettled: () => {
      if (opened.place) records.revealSelected();
    },
    onChange,
    from,
    seek,
  });
  const noteTop = (): void => {
    const { top } = records;
    if (top !== null) position.note(top);
  };
  return { toOpen, position, noteTop };
}
