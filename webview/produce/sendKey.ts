import { t } from '../../src/base/l10n.ts';

/** The key that sends a record, by the name that it has on the platform of the browser. */
export function sendKeyOn(userAgent: string): string {
  return /\bMacintosh\b/.test(userAgent) ? t('Cmd+Enter') : t('Ctrl+Enter');
}
