import { t } from '../../base/l10n.ts';
import type { ClusterProfile } from '../model.ts';

export const embeddedProfileId = 'embedded';

/** The embedded cluster among the others; where it runs is known while it does. */
export function embeddedProfile(): ClusterProfile {
  return {
    id: embeddedProfileId,
    name: t('Embedded'),
    kind: 'embedded',
    bootstrap: [],
    readOnly: false,
  };
}
