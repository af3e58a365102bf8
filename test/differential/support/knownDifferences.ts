import type { ApiName } from '../../../src/protocol/apis.ts';
import type { Difference } from './compare.ts';

/** Where we answer otherwise than Kafka, and know it. `docs/differential.md` lists them. */
export interface KnownDifference {
  readonly api: ApiName | 'any';
  /** Of the differing field. */
  readonly path: RegExp;
  readonly isIt?: (difference: Difference) => boolean;
  /** `meant`: it stays so, and why; `open`: it is a fault of ours that is not mended yet. */
  readonly kind: 'meant' | 'open';
  readonly reason: string;
}

const onlyKafkas = ({ ours }: Difference): boolean => ours === undefined;

export const knownDifferences: readonly KnownDifference[] = [
  {
    api: 'any',
    path: /errorMessage$/i,
    isIt: ({ ours, kafkas }) => ours === '<words>' && (kafkas === null || kafkas === ''),
    kind: 'meant',
    reason: 'where Kafka gives a bare code, we say in words what was wrong',
  },
  {
    api: 'apiVersions',
    path: /^apiKeys\[/,
    isIt: onlyKafkas,
    kind: 'meant',
    reason: 'only what is there is advertised',
  },
  {
    api: 'apiVersions',
    path: /^(finalized|supported)Features\[/,
    isIt: onlyKafkas,
    kind: 'meant',
    reason: 'a feature is reported once the APIs that it stands for are there',
  },
  {
    api: 'any',
    path: /configs\[[a-z.]+\]$/,
    isIt: onlyKafkas,
    kind: 'meant',
    reason:
      'configs of tiered storage and of dead letter queues, which we do not have, are not listed',
  },
];
