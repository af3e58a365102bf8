import { t } from '../base/l10n.ts';

/** Where a broker listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

export function formatAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Reads `host:port` or `[ipv6]:port`. Throws an Error that says what is wrong with it. */
export function parseAddress(text: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port < 1 || port > 65535) {
    throw new Error(t('“{0}” is not an address; write host:port, such as localhost:9092', text));
  }
  return { host, port };
}
