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
