import { BlockList, isIP } from 'node:net';
import { wildcard } from './aclCodes.ts';

const cidr = /^(?<address>[^/]+)\/(?<bits>\d{1,3})$/;

/**
 * Whether a client's address is meant. An address is compared as text, as in Kafka. [StandardAuthorizerData.findResult]
 */
export function hostMatcher(pattern: string): (host: string) => boolean {
  if (pattern === wildcard) return () => true;
  const range = addressRange(pattern);
  if (range === undefined) return (host) => host === pattern;
  const { block, family } = range;
  return (host) => host === pattern || (isIP(host) === family && block.check(host, `ipv${family}`));
}

/** What is wrong with the host of a new ACL, in words. [AclControlManager.validateHostPattern] */
export function hostProblem(pattern: string): string | undefined {
  if (pattern === '') return 'Host pattern cannot be null or empty';
  if (!pattern.includes('/') || addressRange(pattern)) return undefined;
  return `Invalid CIDR notation '${pattern}': it has to be an address, a slash and the number of bits that count`;
}

/** Addresses whose first bits are alike. [CidrUtils] */
function addressRange(pattern: string): { block: BlockList; family: 4 | 6 } | undefined {
  const { address = '', bits } = cidr.exec(pattern)?.groups ?? {};
  const family = isIP(address);
  const count = Number(bits);
  if ((family !== 4 && family !== 6) || count > (family === 4 ? 32 : 128)) return undefined;
  const block = new BlockList();
  block.addSubnet(address, count, `ipv${family}`);
  return { block, family };
}

/** The address of `/127.0.0.1`, in the long form of IPv6 that Java has. [InetAddress.getHostAddress] */
export function hostAddress(clientHost: string): string {
  const address = clientHost.replace(/^\//, '').replace(/%.*$/, '');
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array<string>(missing).fill('0'), ...last]
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
