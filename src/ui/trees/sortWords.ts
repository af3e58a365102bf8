import { t } from '../../base/l10n.ts';
import type { SortOrder } from './treeChoices.ts';

/** Orders of a list, in words. */
export const sortWords: Readonly<Record<SortOrder, () => string>> = {
  name: () => t('by name'),
  records: () => t('by records'),
  lag: () => t('by lag'),
  partitions: () => t('by partitions'),
  members: () => t('by members'),
};
