import type { Emulation } from './emulation.ts';

const retentionBytes = 250 * 2 ** 30;

/** Amazon MSK Serverless, from its documentation. Not compared with it. */
export const mskServerless: Emulation = {
  server: 'Amazon MSK Serverless',
  defaults: { 'log.retention.bytes': String(retentionBytes) },
  brokerConfigs: 'CLUSTER_AUTHORIZATION_FAILED',
  topicConfigs: {
    error: 'POLICY_VIOLATION',
    settable: [
      'compression.type',
      'max.message.bytes',
      'message.timestamp.type',
      'retention.bytes',
      'retention.ms',
    ],
    atCreation: ['cleanup.policy'],
    maxima: { 'max.message.bytes': 8_388_608 },
  },
};
