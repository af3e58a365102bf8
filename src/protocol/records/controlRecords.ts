import { decodeVersioned, encodeVersioned } from '../messageCodec.ts';
import type { MessageSchema } from '../schema.ts';

export const controlRecordTypeSchema = {
  name: 'ControlRecordTypeSchema',
  versions: '0',
  flexible: 'none',
  fields: { type: { type: 'int16', versions: '0+' } },
} as const satisfies MessageSchema;

export const endTxnMarker = {
  name: 'EndTxnMarker',
  versions: '0',
  flexible: 'none',
  fields: { coordinatorEpoch: { type: 'int32', versions: '0+' } },
} as const satisfies MessageSchema;

export const leaderChangeMessage = {
  name: 'LeaderChangeMessage',
  versions: '0-1',
  flexible: '0+',
  fields: {
    version: { type: 'int16', versions: '0+' },
    leaderId: { type: 'int32', versions: '0+' },
    voters: {
      type: 'array',
      versions: '0+',
      items: {
        voterId: { type: 'int32', versions: '0+' },
        voterDirectoryId: { type: 'uuid', versions: '1+' },
      },
    },
    grantingVoters: {
      type: 'array',
      versions: '0+',
      items: {
        voterId: { type: 'int32', versions: '0+' },
        voterDirectoryId: { type: 'uuid', versions: '1+' },
      },
    },
  },
} as const satisfies MessageSchema;

/** What a control record says, by the int16 behind the version in its key. [ControlRecordType] */
const controlRecordIds = {
  abort: 0,
  commit: 1,
  leaderChange: 2,
  snapshotHeader: 3,
  snapshotFooter: 4,
  kraftVersion: 5,
  kraftVoters: 6,
} as const;

export type ControlRecordType = keyof typeof controlRecordIds;

/** The key of a control record. */
export function encodeControlRecordKey(type: ControlRecordType): Buffer {
  return encodeVersioned(controlRecordTypeSchema, 0, { type: controlRecordIds[type] });
}

/**
 * What the key of a control record says, or undefined for a type that we do not know.
 * [ControlRecordType.parseTypeId]
 */
export function decodeControlRecordKey(key: Uint8Array): ControlRecordType | undefined {
  const { type } = decodeVersioned(controlRecordTypeSchema, key, 'readAsNewest').message;
  const entries = Object.entries(controlRecordIds) as [ControlRecordType, number][];
  return entries.find(([, id]) => id === type)?.[0];
}
