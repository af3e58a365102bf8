import type { MessageSchema } from '../schema.ts';

export const updateFeaturesRequest = {
  name: 'UpdateFeaturesRequest',
  versions: '0-2',
  flexible: '0+',
  fields: {
    timeoutMs: { type: 'int32', versions: '0+', default: 60000 },
    featureUpdates: {
      type: 'array',
      versions: '0+',
      items: {
        feature: { type: 'string', versions: '0+' },
        maxVersionLevel: { type: 'int16', versions: '0+' },
        allowDowngrade: { type: 'bool', versions: '0' },
        upgradeType: { type: 'int8', versions: '1+', default: 1 },
      },
    },
    validateOnly: { type: 'bool', versions: '1+' },
  },
} as const satisfies MessageSchema;

export const updateFeaturesResponse = {
  name: 'UpdateFeaturesResponse',
  versions: '0-2',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
    results: {
      type: 'array',
      versions: '0-1',
      ignorable: true,
      items: {
        feature: { type: 'string', versions: '0+' },
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;
