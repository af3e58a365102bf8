import { errorCodes } from '../../protocol/errors.ts';
import { planFeatures } from '../controller/updateFeatures.ts';
import { supportedFeatures } from '../emulation/emulatedFeatures.ts';
import type { Handler } from '../handler.ts';

/**
 * Versions 0-2: 1 the kind of change, and validating only (KIP-778); 2 no results of single features, as all or none
 * is changed (KIP-1022).
 */
export const updateFeatures: Handler<'updateFeatures'> = {
  versions: [0, 2],
  async handle({ featureUpdates, validateOnly }, { node, apiVersion, access }) {
    access.require('alter', 'cluster');
    // Version 0 asks for downgrades in a way that Kafka's controller no longer hears: they are refused as upgrades.
    const changes = featureUpdates.map(({ feature, maxVersionLevel: level, upgradeType }) => {
      return { feature, level, upgradeType };
    });
    const supported = supportedFeatures(node.cluster.emulation);
    const minInsyncReplicas = node.cluster.config.static('min.insync.replicas') ?? '1';
    const problem = await node.cluster.controller.change((image) => {
      const plan = planFeatures(image, changes, { supported, minInsyncReplicas });
      return { records: validateOnly ? [] : plan.records, result: plan.problem };
    });
    if (problem !== undefined) {
      return {
        errorCode: errorCodes.INVALID_UPDATE_VERSION,
        errorMessage: `The update failed for all features since the following feature had an error: ${problem}`,
      };
    }
    const results = featureUpdates.map(({ feature }) => ({ feature, errorMessage: 'NONE' }));
    return { errorMessage: null, results: apiVersion > 1 ? [] : results };
  },
};
