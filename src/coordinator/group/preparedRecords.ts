import {
  decodeCoordinatorRecord,
  type DecodedRecord,
  groupRecordTypes,
} from '../../protocol/records/coordinatorRecordCodec.ts';
import type { CoordinatorRecord } from '../ports.ts';

type Decoded = DecodedRecord<typeof groupRecordTypes> | undefined;

const decodedEarlier = new WeakMap<CoordinatorRecord, Decoded>();

/**
 * Decodes a record before it is decided on. A decision on twenty thousand goes in one go: what can be done in steps before
 * it, and costs the most, is.
 */
export function prepared(record: CoordinatorRecord): CoordinatorRecord {
  decodedEarlier.set(record, decodeCoordinatorRecord(groupRecordTypes, record));
  return record;
}

/** What a record says. */
export function decodedRecord(record: CoordinatorRecord): Decoded {
  return decodedEarlier.has(record)
    ? decodedEarlier.get(record)
    : decodeCoordinatorRecord(groupRecordTypes, record);
}
