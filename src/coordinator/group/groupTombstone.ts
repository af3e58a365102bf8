import {
  encodeRecordKey,
  groupRecordTypes,
} from '../../protocol/records/coordinatorRecordCodec.ts';
import type { CoordinatorRecord } from '../ports.ts';

/** Takes a classic group out of the log. */
export function groupTombstone(groupId: string): CoordinatorRecord {
  return { key: encodeRecordKey(groupRecordTypes.groupMetadata, { group: groupId }), value: null };
}
