import { isIPv6, SocketAddress } from 'node:net';

/** The one host that is known without being looked up. */
const localHost = { name: 'localhost', address: '127.0.0.1' } as const;
const longestIpv4 = 15;
const octets = 4;
const mostZone = 2n ** 31n - 1n;
/** More than any address has, however many zeros it is given. */
const longestText = 255;

/**
 * The address that a text stands for where Java reads one, in the form of a socket's; undefined: it would ask a name
 * service, or an interface for the number of a zone. [InetAddress.getByName, IPAddressUtil]
 */
export function javaAddress(text: string): string | undefined {
  if (text.length > longestText) return undefined;
  if (text.toLowerCase() === localHost.name) return localHost.address;
  const inBrackets = /^\[(.+)\]$/.exec(text)?.[1];
  if (inBrackets !== undefined) return ipv6Of(inBrackets);
  return ipv4Of(text) ?? ipv6Of(text);
}

/** Of few parts the last one fills what is left; zeros before a digit do not make it octal. */
function ipv4Of(text: string): string | undefined {
  if (text.length > longestIpv4 || !/^\d+(\.\d+){0,3}$/.test(text)) return undefined;
  const parts = text.split('.').map(Number);
  const last = parts.pop() ?? 0;
  const left = octets - parts.length;
  if (last >= 256 ** left || parts.some((part) => part > 255)) return undefined;
  const filled = Array.from(
    { length: left },
    (_, i) => Math.floor(last / 256 ** (left - 1 - i)) % 256,
  );
  return [...parts, ...filled].join('.');
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

function ipv6Of(text: string): string | undefined {
  const [, written = '', zone] = /^([^%]*)(?:%(\d+))?$/.exec(text) ?? [];
  if (zone !== undefined && BigInt(zone) > mostZone) return undefined;
  const groups = written.replaceAll(/(?<![\da-f])0+(?=[\da-f])/gi, '');
  const last = written.slice(written.lastIndexOf(':') + 1);
  const tail = last.includes('.') ? last : '';
  if (tail.length > longestIpv4 || !isIPv6(groups)) return undefined;
  const { address } = new SocketAddress({ address: groups, family: 'ipv6' });
  const ipv4 = mapped.exec(address)?.[1];
  // A mapped address is an IPv4 address, and those have no zones.
  return ipv4 !== undefined && zone !== undefined ? undefined : (ipv4 ?? address);
}
