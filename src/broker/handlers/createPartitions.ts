import { errorCodes } from '../../protocol/errors.ts';
import { planPartitions } from '../controller/createPartitions.ts';
import type { NewMetadataRecord } from '../controller/controller.ts';
import type { Handler } from '../handler.ts';

/** Versions 0-3: 2 flexible; 3 quota errors (KIP-599). */
export const createPartitions: Handler<'createPartitions'> = {
  versions: [0, 3],
  handle({ topics, validateOnly }, { node }) {
    const { config, random, controller } = node.cluster;
    const brokers = node.cluster.endpoints().map(({ id }) => id);
    const names = topics.map(({ name }) => name);
    return controller.change((image) => {
      const records: NewMetadataRecord[] = [];
      const results = topics.map(({ name, count, assignments }) => {
        if (names.filter((other) => other === name).length > 1) {
          const errorMessage = 'Duplicate topic name.';
          return { name, errorCode: errorCodes.INVALID_REQUEST, errorMessage };
        }
        const chosen = assignments?.map(({ brokerIds }) => brokerIds) ?? null;
        const request = { name, count, assignments: chosen };
        const plan = planPartitions(image, request, { config, brokers, random });
        if (!validateOnly) records.push(...plan.records);
        return { name, errorCode: errorCodes[plan.error], errorMessage: plan.message };
      });
      return { records, result: { results } };
    });
  },
};
