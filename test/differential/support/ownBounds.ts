import { memoryBounds } from '../../../src/broker/memoryBounds.ts';

const inMiB = (bytes: number): string => `${bytes >> 20} MiB`;

const { answers, decoded, fetchedBytes, fetchSessionBytes, requestBytes } = memoryBounds;

/**
 * What no client comes to that means well, and what keeps one that does not from taking the broker's memory or time.
 * For the page, beside the differences: Kafka has no such bounds, or leaves them to Java's heap.
 */
export const ownBounds: readonly string[] = [
  `requests that wait or are worked on hold ${inMiB(requestBytes)}, or \`queued.max.request.bytes\`, and one of the largest size beside; further connections are read once there is room`,
  `a request that takes more than ${inMiB(decoded.mostBytesPerRequest)} once it is decoded, or has more than 4,194,304 items in its lists, closes its connection; so does a long one that could not begin for 30 s`,
  `records fetched and not taken yet hold ${inMiB(fetchedBytes)}, and one batch a connection beside: a Fetch answers with fewer bytes then`,
  `fetch sessions hold ${inMiB(fetchSessionBytes)}: whoever comes beyond gets none, and asks in full`,
  `an answer of more than ${inMiB(answers.mostBytesPerAnswer)} closes its connection; while answers that are not taken hold ${inMiB(answers.boundBytes)}, whoever takes nothing for 10 s is cut off`,
  'JoinGroup: of a member with more than 1,000 protocols INCONSISTENT_GROUP_PROTOCOL; beyond 10,000 ids given out and not used, GROUP_MAX_SIZE_REACHED',
  'coordinators: beyond 10,000 decisions that wait for the log, COORDINATOR_NOT_AVAILABLE',
  'patterns of groups, ListTransactions, client-metrics and ssl.principal.mapping.rules: 2,048 characters, and as many with their repetitions written out; a text too long for a large pattern does not match',
  "patterns of client-metrics and ssl.principal.mapping.rules are RE2's, as those of groups are: look-around and back references, which take a regular expression of Java unbounded time, are refused",
  'configs of client-metrics: 32 patterns in a match',
  'CreateAcls: 100,000 ACLs with 33,554,432 characters in the cluster; beyond them POLICY_VIOLATION, as for a DeleteAcls that compares ACLs with filters more than 5,000,000 times; of one that tells of more than 100,000 ACLs INVALID_REQUEST',
  'quotas: the use of 10,000 clients is remembered, those that asked last',
  'connections that wait for room or for their rate: 128 a listener; what comes beyond is closed, where Kafka leaves it to the operating system',
  'a TLS handshake may take 30 s; in Kafka it counts as being idle, connections.max.idle.ms',
  'files of keys and certificates, and what a server of keys answers: 1 MiB',
];
