import { t } from '../base/l10n.ts';

/** System errors in words. The host or address is named beside them. */
const reasons = (): Readonly<Record<string, string>> => ({
  ECONNREFUSED: t('connection refused'),
  ENOTFOUND: t('no such host'),
  EAI_AGAIN: t('the host name could not be looked up'),
  EHOSTUNREACH: t('no route to the host'),
  ENETUNREACH: t('the network is unreachable'),
  ECONNRESET: t('the connection was reset'),
  ETIMEDOUT: t('the connection timed out'),
  EPIPE: t('the connection was closed'),
  EACCES: t('not allowed by the operating system'),
});

/** The reason of a socket's failure in words. */
export function socketReason(error: Error): string {
  // Happy eyeballs: with several addresses Node reports all their failures in one.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as NodeJS.ErrnoException | undefined)?.code;
  return (code && reasons()[code]) || error.message || t('unknown reason');
}
