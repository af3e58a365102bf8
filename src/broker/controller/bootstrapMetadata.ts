import { metadataRecord, type NewMetadataRecord } from './controller.ts';
import { hasEligibleReplicas } from './features.ts';
import { resourceTypes } from './metadataImage.ts';

/** What stands first in the log of a new cluster. [BootstrapMetadata, ActivationRecordsGenerator] */
export function bootstrapMetadata(
  levels: ReadonlyMap<string, number>,
  minInsyncReplicas: string,
): readonly NewMetadataRecord[] {
  const records = [...levels].map(([name, featureLevel]) =>
    metadataRecord('featureLevel', { name, featureLevel }),
  );
  return hasEligibleReplicas(levels) ? [...records, minInsyncDefault(minInsyncReplicas)] : records;
}

/**
 * The default of all brokers, without which eligible leader replicas cannot be.
 * [ConfigurationControlManager.maybeGenerateElrSafetyRecords]
 */
export function minInsyncDefault(minInsyncReplicas: string): NewMetadataRecord {
  const record = metadataRecord('config', {
    resourceType: resourceTypes.broker,
    resourceName: '',
    name: 'min.insync.replicas',
    value: minInsyncReplicas,
  });
  return { ...record, isBrokerConfig: true };
}
