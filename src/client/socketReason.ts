/** System errors in words. The host or address is named beside them. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
  EPIPE: 'the connection was closed',
  EACCES: 'not allowed by the operating system',
};

/** The reason of a socket's failure in words. */
export function socketReason(error: Error): string {
  // Happy eyeballs: with several addresses Node reports all their failures in one.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as NodeJS.ErrnoException | undefined)?.code;
  return (code && reasons[code]) || error.message || 'unknown reason';
}
