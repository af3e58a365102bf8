/** What the embedded cluster's process is doing, as a window knows it. */
import { t } from '../../base/l10n.ts';
import type { EmbeddedStatus } from '../../shared/contracts/control.ts';

export type EmbeddedState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'running';
      readonly bootstrap: string;
      readonly pid: number;
      /** How far the cluster's clock has been moved ahead of the machine's; left out where it has not. */
      readonly clockAheadMs?: number;
    }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'crashed'; readonly message: string; readonly logTail: string };

export function runningState({ bootstrap, pid, clockAheadMs }: EmbeddedStatus): EmbeddedState & {
  readonly kind: 'running';
} {
  return { kind: 'running', bootstrap, pid, ...(clockAheadMs > 0 && { clockAheadMs }) };
}

/** Why the process says that it stops, in the language that is spoken. */
export function stopWords(reason: string): string {
  switch (reason) {
    case 'it was asked to stop':
      return t('it was asked to stop');
    case 'no editor window is left':
      return t('no editor window is left');
    default:
      return reason;
  }
}
