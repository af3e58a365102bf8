/**
 * A link that opens a tail as somebody sees it. It names a connection that must be known already, and nothing secret.
 */
import * as v from 'valibot';
import { t } from '../../base/l10n.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { ProblemError } from '../../cluster/problems.ts';
import { int64, partitionIndex } from '../../shared/contracts/common.ts';
import { filterText, tailScope, timeSpan } from '../../shared/contracts/tailQuery.ts';
import type { TailSubject } from './tailSubject.ts';

export const tailLinkPath = '/tail';
const longestLink = 20_000;
const longestName = 1000;

const shortText = v.pipe(v.string(), v.maxLength(longestName));

/** What stands in a link, as JSON in base64. */
const linkedView = v.object({
  cluster: v.object({ id: shortText, name: shortText }),
  topic: v.pipe(shortText, v.regex(/^[\w.-]{1,249}$/)),
  /** Left out: all. */
  partitions: v.optional(v.pipe(v.array(partitionIndex), v.minLength(1), v.maxLength(10_000))),
  from: shortText,
  scope: v.optional(tailScope),
  filter: v.optional(filterText),
  within: v.optional(timeSpan),
  record: v.optional(v.object({ partition: partitionIndex, offset: int64 })),
});
export type LinkedView = v.InferOutput<typeof linkedView>;

/**
 * The query of a link to what a tail shows, and to the record that is open in it. Throws where it would be too long.
 */
export function tailLinkQuery(
  subject: TailSubject,
  record?: { readonly partition: number; readonly offset: string },
): string {
  const { cluster, topic, partitions, from, scope, filter, within } = subject;
  const view: LinkedView = {
    cluster: { id: cluster.id, name: cluster.name },
    topic,
    ...(partitions && { partitions: [...partitions] }),
    from,
    ...(scope && { scope }),
    ...(filter !== undefined && filter !== '' && { filter }),
    ...(within && { within }),
    ...(record && { record: { partition: record.partition, offset: record.offset } }),
  };
  // In letters that no program on the way writes otherwise.
  const query = `view=${Buffer.from(JSON.stringify(view)).toString('base64url')}`;
  if (query.length <= longestLink) return query;
  throw new ProblemError(
    t('This view is too much for a link.'),
    t('Shorten the filter, or choose fewer partitions.'),
  );
}

/** Undefined: this is no link of ours, or somebody has been at it. */
export function readTailLink(path: string, query: string): LinkedView | undefined {
  if (path !== tailLinkPath || query.length > longestLink) return undefined;
  const written = /^view=([\w-]+)$/.exec(query)?.[1];
  if (written === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(Buffer.from(written, 'base64url').toString());
    const parsed = v.safeParse(linkedView, json);
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** The connection that a link means: the same, or on another machine the only one of that name. */
export function linkedCluster(
  { cluster }: LinkedView,
  profiles: readonly ClusterProfile[],
): ClusterProfile | undefined {
  const same = profiles.find(({ id, name }) => id === cluster.id && name === cluster.name);
  const named = profiles.filter(({ name }) => name === cluster.name);
  return same ?? (named.length === 1 ? named[0] : undefined);
}

/** What a link opens on a connection. */
export function linkedSubject(view: LinkedView, cluster: ClusterProfile): TailSubject {
  const { topic, partitions, from, scope, filter, within, record } = view;
  return {
    cluster,
    topic,
    ...(partitions && { partitions }),
    from,
    ...(scope && { scope }),
    ...(filter !== undefined && { filter }),
    within,
    ...(record && { open: { partition: record.partition, offset: BigInt(record.offset) } }),
  };
}
