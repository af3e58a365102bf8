import {
  decodeCoordinatorRecord,
  type DecodedRecord,
  groupRecordTypes,
} from '../../protocol/records/coordinatorRecordCodec.ts';
import type { CoordinatorRecord } from '../ports.ts';

type Decoded = DecodedRecord<typeof groupRecordTypes> | undefined;

export interface PreparedRecord extends CoordinatorRecord {
  readonly decoded: Decoded;
}

/**
 * Decodes a record before it is decided on. A decision on twenty thousand goes in one go: what can be done in steps
 * before it, and costs the most, is.
 */
export function prepared(record: CoordinatorRecord): PreparedRecord {
  return { ...record, decoded: decodeCoordinatorRecord(groupRecordTypes, record) };
}

/** What a record says. */
export function decodedRecord(record: CoordinatorRecord | PreparedRecord): Decoded {
  return 'decoded' in record ? record.decoded : decodeCoordinatorRecord(groupRecordTypes, record);
}
