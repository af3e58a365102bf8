import { metadataRecord, type NewMetadataRecord } from './controller.ts';
import { controllerNodeId } from './controller.ts';
import { minInsyncDefault } from './bootstrapMetadata.ts';
import { absentFeatures, type Feature, hasEligibleReplicas } from './features.ts';
import { type MetadataImage, resourceTypes } from './metadataImage.ts';

/** Kafka's kinds of change. [FeatureUpdate.UpgradeType] */
const upgradeTypes = { upgrade: 1, safeDowngrade: 2, unsafeDowngrade: 3 } as const;

export interface FeatureChange {
  readonly feature: string;
  readonly level: number;
  readonly upgradeType: number;
}

export interface FeaturePlan {
  readonly records: readonly NewMetadataRecord[];
  /** What is wrong with one of them; then none is changed. */
  readonly problem: string | undefined;
}

export interface FeatureRules {
  /** What this software can run at. */
  readonly supported: readonly Feature[];
  /** The brokers' default, which eligible leader replicas need to be told. */
  readonly minInsyncReplicas: string;
}

const metadataVersion = 'metadata.version';

/** Decides on changes of feature levels, all or none. [FeatureControlManager.updateFeatures] */
export function planFeatures(
  image: MetadataImage,
  asked: readonly FeatureChange[],
  { supported, minInsyncReplicas }: FeatureRules,
): FeaturePlan {
  // Of a feature named twice the last counts.
  const changes = [...new Map(asked.map((change) => [change.feature, change])).values()];
  const problem = changes.map((change) => problemOf(image, change, supported)).find(Boolean);
  if (problem !== undefined) return { records: [], problem };
  const made = changes.filter(({ feature }) => !absentFeatures.has(feature));
  const records = made.map(({ feature: name, level: featureLevel }) =>
    metadataRecord('featureLevel', { name, featureLevel }),
  );
  const levels = new Map(changes.map(({ feature, level }) => [feature, level]));
  const isKnown = image.configsOf(resourceTypes.broker, '').has('min.insync.replicas');
  const needsDefault = hasEligibleReplicas(levels) && !isKnown;
  return {
    records: needsDefault ? [minInsyncDefault(minInsyncReplicas), ...records] : records,
    problem: undefined,
  };
}

const noWayDown =
  "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe downgrade.";

function problemOf(
  image: MetadataImage,
  change: FeatureChange,
  supported: readonly Feature[],
): string | undefined {
  const { feature, level, upgradeType } = change;
  const invalid = (why: string): string =>
    `Invalid update version ${level} for feature ${feature}. ${why}`;
  if (!Object.values<number>(upgradeTypes).includes(upgradeType)) {
    return invalid('The controller does not support the given upgrade type.');
  }
  if (level < 0) return invalid('A feature version cannot be less than 0.');
  const known = supported.find(({ name }) => name === feature);
  const local = `Local controller ${controllerNodeId}`;
  const isUpgrade = upgradeType === upgradeTypes.upgrade;
  const absentAt = absentFeatures.get(feature);
  if (absentAt !== undefined && level === 0)
    return isUpgrade && absentAt > 0 ? invalid(noWayDown) : undefined;
  if (!known) return invalid(`${local} does not support this feature.`);
  if (level < known.min || level > known.max) {
    return invalid(`${local} only supports versions ${known.min}-${known.max}`);
  }
  const present = image.features.get(feature) ?? 0;
  if (level < present && isUpgrade) return invalid(noWayDown);
  if (level > present && !isUpgrade) return invalid("Can't downgrade to a newer version.");
  return level < present && feature === metadataVersion
    ? metadataDowngradeProblem(present, change)
    : undefined;
}

/** Levels of the metadata differ in what their records hold, so none can be gone back to. */
function metadataDowngradeProblem(present: number, { level, upgradeType }: FeatureChange): string {
  const why =
    upgradeType === upgradeTypes.unsafeDowngrade
      ? 'Unsafe metadata downgrade is not supported in this version.'
      : 'Refusing to perform the requested downgrade because it might delete metadata information.';
  return `Unsupported metadata.version downgrade from ${present} to ${level}. ${why}`;
}
