import { t } from '../base/l10n.ts';

/** The first level of metadata.version that each release brought. [MetadataVersion] */
const firstLevels = (): readonly (readonly [level: number, release: string])[] => [
  [34, t('newer than 4.4')],
  [31, '4.4'],
  [30, '4.3'],
  [28, '4.2'],
  [26, '4.1'],
  [22, '4.0'],
  [21, '3.9'],
  [20, '3.8'],
  [15, '3.7'],
  [12, '3.6'],
  [9, '3.5'],
  [8, '3.4'],
  [1, t('3.3 or older')],
];

/** The release of Apache Kafka that a level of the feature metadata.version belongs to. */
export function kafkaRelease(level: number): string | undefined {
  return firstLevels().find(([first]) => level >= first)?.[1];
}
