import { t } from '../base/l10n.ts';
import type { EmbeddedState } from '../cluster/embedded/embeddedState.ts';

/** How the embedded cluster is, in a word. */
export function embeddedStateWord(kind: EmbeddedState['kind']): string {
  switch (kind) {
    case 'stopped':
      return t('stopped');
    case 'starting':
      return t('starting');
    case 'running':
      return t('running');
    case 'stopping':
      return t('stopping');
    case 'crashed':
      return t('crashed');
  }
}
