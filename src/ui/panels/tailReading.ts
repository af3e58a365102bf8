/** What of a tail the page shows: its rows, where they are, how many of which time, one record whole. */
import type { ChangeLog } from '../../cluster/activity/changeLog.ts';
import type { Tail } from '../../cluster/tail/tails.ts';
import type { Handlers } from '../../shared/channel.ts';
import type { tailHost } from '../../shared/contracts/tail.ts';
import { cutRecord } from './cutRecord.ts';
import { takePart } from './takenPayload.ts';
import { exportTail } from './tailExport.ts';
import type { TailSubject } from './tailSubject.ts';
import { toUserError } from './words.ts';

interface TailReading {
  /** As they are when something is asked for. */
  readonly tail: () => Tail | undefined;
  readonly subject: () => TailSubject;
  readonly changes: ChangeLog;
}

export function readHandlers(
  of: TailReading,
): Pick<
  Handlers<typeof tailHost>,
  'rows' | 'findRow' | 'histogram' | 'details' | 'takePart' | 'exportRecords'
> {
  return {
    findRow: async ({ session, ...place }) => {
      const tail = of.tail();
      const row = session === tail?.progress.session ? await tail.findRow(place) : undefined;
      return row === undefined ? {} : { row };
    },
    histogram: async () => {
      const histogram = await of.tail()?.histogram();
      return histogram ? { histogram } : {};
    },
    rows: async ({ session, first, count, parts }) => {
      const tail = of.tail();
      if (session !== tail?.progress.session) {
        return { session: tail?.progress.session ?? 0, first, rows: [] };
      }
      const page = await tail.rows(first, count, parts);
      return { session, ...page };
    },
    details: async ({ partition, offset }, signal) => {
      try {
        const record = await of.tail()?.details(partition, BigInt(offset), signal);
        return record ? { record: cutRecord(record) } : {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
    takePart: async (part, signal) => {
      try {
        const { changes } = of;
        await takePart({ tail: of.tail(), subject: of.subject(), changes }, part, signal);
        return {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
    exportRecords: async () => {
      try {
        const tail = of.tail();
        if (tail) await exportTail(tail, of.subject(), of.changes);
        return {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
  };
}
