import { compilePattern, type Pattern } from '../../pattern.ts';
import { RefusedError } from '../../runtime/decision.ts';
import type { GroupState } from '../groupState.ts';
import { sameNames } from './consumerGroupMember.ts';
import { regexRecord } from './consumerRecords.ts';
import type { ResolvedRegex } from './subscriptions.ts';
import { refreshMetadata } from './targetAssignment.ts';
import type { Turn } from './turn.ts';

/** Members cannot make topics be gone through more often than this. [REGEX_BATCH_REFRESH_MIN_INTERVAL_MS] */
const minRefreshIntervalMs = 10_000;
/** States of expressions by characters of names that are matched in one go; between them requests are served. */
const workAtOnce = 200_000;
const pauseMs = 1;

/** Throws if it is none; the words are Kafka's. The syntax is RE2's, as in Kafka, so matching takes linear time. */
export function refuseInvalidRegex(regex: string): void {
  const compiled = compilePattern(regex);
  if ('pattern' in compiled) return;
  throw new RefusedError(
    'INVALID_REGULAR_EXPRESSION',
    `SubscribedTopicRegex \`${regex}\` is not a valid regular expression: ${compiled.problem}.`,
  );
}

/** What a request finds resolved, before it changes that, and whether it brings an expression that is new. */
export interface Refresh {
  readonly isRequired: boolean;
  /** All are matched together, so one tells for all. */
  readonly last: ResolvedRegex | undefined;
  readonly resolvedCount: number;
}

/**
 * Matches a group's expressions against all topics beside the requests, if it is time: there is one that was never
 * matched, there are new topics, or it is long ago. Found is what the member may see whose request brings it about.
 * So who changes the only expression soon after it was matched waits for a request more.
 * [GroupMetadataManager.maybeUpdateRegularExpressions]
 */
export function refreshRegexes(
  { state, group: { groupId, subscriptions } }: Turn,
  { isRequired, last, resolvedCount }: Refresh,
  mayDescribe: (topic: string) => boolean,
): void {
  if (!subscriptions.hasRegexes) return;
  if (state.timers.has(timerKey(groupId))) return;
  const sinceMs = state.clock.nowMs() - (last?.timestampMs ?? -Infinity);
  if (sinceMs <= minRefreshIntervalMs) return;
  const isDue =
    isRequired ||
    subscriptions.regexes.length !== resolvedCount ||
    (last?.version ?? 0n) < state.newTopicsVersion ||
    sinceMs > state.config.consumer.regexRefreshIntervalMs;
  if (!isDue) return;
  resolveStep(state, groupId, new Resolution(state, subscriptions.regexes, mayDescribe));
}

const timerKey = (groupId: string): string => `regex ${groupId}`;

function resolveStep(state: GroupState, groupId: string, resolution: Resolution): void {
  state.timers.schedule(timerKey(groupId), pauseMs, (decision) => {
    if (!resolution.advance()) {
      resolveStep(state, groupId, resolution);
      return;
    }
    const group = state.consumerGroup(groupId);
    if (group === undefined) return;
    let hasChanged = false;
    for (const [regex, resolved] of resolution.results) {
      if (group.subscriptions.membersWith(regex) === 0) continue;
      const before = group.subscriptions.resolved(regex)?.topics ?? new Set<string>();
      hasChanged ||= !sameNames(before, resolved.topics);
      decision.append(regexRecord(groupId, regex, resolved));
    }
    refreshMetadata({ state, group, decision }, hasChanged);
  });
}

/** Expressions against the topics that there were when it began. [TopicRegexResolver] */
class Resolution {
  readonly results: Map<string, ResolvedRegex & { topics: Set<string> }>;
  readonly #matchers: { pattern: Pattern; topics: Set<string> }[];
  readonly #names: string[];
  readonly #mayDescribe: (topic: string) => boolean;

  constructor(
    { topics, clock }: GroupState,
    regexes: readonly string[],
    mayDescribe: (topic: string) => boolean,
  ) {
    this.#mayDescribe = mayDescribe;
    const version = topics.version();
    const timestampMs = Math.floor(clock.nowMs());
    this.#names = [...topics.names()].reverse();
    this.results = new Map(
      regexes.map((regex) => [regex, { topics: new Set<string>(), version, timestampMs }]),
    );
    this.#matchers = [...this.results].flatMap(([regex, { topics: matched }]) => {
      const compiled = compilePattern(regex);
      return 'pattern' in compiled ? [{ pattern: compiled.pattern, topics: matched }] : [];
    });
  }

  /** Goes through some names; true: all are done. */
  advance(): boolean {
    const states = this.#matchers.reduce((sum, { pattern }) => sum + pattern.programSize(), 1);
    for (let work = 0; work < workAtOnce;) {
      const name = this.#names.pop();
      if (name === undefined) return true;
      for (const { pattern, topics } of this.#matchers) {
        if (pattern.matcher(name).matches() && this.#mayDescribe(name)) topics.add(name);
      }
      work += states * name.length;
    }
    return this.#names.length === 0;
  }
}
