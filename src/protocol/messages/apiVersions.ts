import type { MessageSchema } from '../schema.ts';

export const apiVersionsRequest = {
  name: 'ApiVersionsRequest',
  versions: '0-5',
  flexible: '3+',
  fields: {
    clientSoftwareName: { type: 'string', versions: '3+', ignorable: true },
    clientSoftwareVersion: { type: 'string', versions: '3+', ignorable: true },
    clusterId: { type: 'string', versions: '5+', nullable: '5+', default: null, ignorable: true },
    nodeId: { type: 'int32', versions: '5+', default: -1, ignorable: true },
  },
} as const satisfies MessageSchema;

export const apiVersionsResponse = {
  name: 'ApiVersionsResponse',
  versions: '0-5',
  flexible: '3+',
  fields: {
    errorCode: { type: 'int16', versions: '0+' },
    apiKeys: {
      type: 'array',
      versions: '0+',
      items: {
        apiKey: { type: 'int16', versions: '0+' },
        minVersion: { type: 'int16', versions: '0+' },
        maxVersion: { type: 'int16', versions: '0+' },
      },
    },
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    supportedFeatures: {
      type: 'array',
      versions: '3+',
      tag: 0,
      ignorable: true,
      items: {
        name: { type: 'string', versions: '3+' },
        minVersion: { type: 'int16', versions: '3+' },
        maxVersion: { type: 'int16', versions: '3+' },
      },
    },
    finalizedFeaturesEpoch: {
      type: 'int64',
      versions: '3+',
      tag: 1,
      default: -1n,
      ignorable: true,
    },
    finalizedFeatures: {
      type: 'array',
      versions: '3+',
      tag: 2,
      ignorable: true,
      items: {
        name: { type: 'string', versions: '3+' },
        maxVersionLevel: { type: 'int16', versions: '3+' },
        minVersionLevel: { type: 'int16', versions: '3+' },
      },
    },
    zkMigrationReady: { type: 'bool', versions: '3+', tag: 3, ignorable: true },
  },
} as const satisfies MessageSchema;
