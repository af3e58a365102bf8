import type { Difference } from './compare.ts';
import type { KnownDifference } from './knownDifferences.ts';

const onlyKafkas = ({ ours }: Difference): boolean => ours === undefined;

/** Delegation tokens, streams groups, and what is about nodes that only more than one Kafka has. */
const notServed = [
  'Admin.createDelegationToken',
  'Admin.describeDelegationToken',
  'Admin.renewDelegationToken',
  'Admin.expireDelegationToken',
  'Admin.describeStreamsGroups',
  'Admin.unregisterBroker',
  'Admin.addRaftVoter',
];

/** Where Java's client shows otherwise of ours than of Kafka's, and we know it; by methods: `Admin.createTopics`. */
export const javaDifferences: readonly KnownDifference<string>[] = [
  {
    api: 'any',
    path: /(^|\.)message$/,
    // Java has words of its own where a broker gives a bare code.
    isIt: ({ ours, kafkas }) =>
      typeof ours === 'string' && ours !== '<default>' && typeof kafkas === 'string',
    kind: 'meant',
    reason: "the words of a broker's errors are our own, and we have some wherever Kafka has",
  },
  {
    api: 'any',
    path: /(^|\.)documentation$/,
    isIt: ({ ours, kafkas }) => typeof ours === 'string' && typeof kafkas === 'string',
    kind: 'meant',
    reason: 'what a config is about is said in our own words',
  },
  {
    api: 'Admin.describeFeatures',
    path: /^(featureMetadata|nodeApiVersions)\.[A-Za-z]+\./,
    isIt: onlyKafkas,
    kind: 'meant',
    reason: 'only the APIs that are there, and the features that stand for them, are told of',
  },
  {
    api: 'Admin.describeMetadataQuorum',
    path: /^(leader|observers)$/,
    kind: 'meant',
    reason: 'our controller is a node of its own, so that every broker observes',
  },
  ...notServed.map((api) => ({
    api,
    path: /exception$/,
    isIt: ({ ours }: Difference) => ours === 'UnsupportedVersionException',
    kind: 'meant' as const,
    reason: 'the API is not there, nor is it advertised: Java says so by itself',
  })),
];
