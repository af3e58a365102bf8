import { type Timeline, TimelineMap } from '../../runtime/timeline.ts';
import type { ConsumerGroupMember } from './consumerGroupMember.ts';

/** The topics that a regular expression matched when it was last looked at. [ResolvedRegularExpression] */
export interface ResolvedRegex {
  readonly topics: ReadonlySet<string>;
  /** Of the metadata that it was matched against. */
  readonly version: bigint;
  readonly timestampMs: number;
}

/** How many members name a topic, and how many resolved expressions match it. [SubscriptionCount] */
interface SubscriptionCount {
  readonly byName: number;
  readonly byRegex: number;
}

const nobody: SubscriptionCount = { byName: 0, byRegex: 0 };
/** Most topics of a member that names ten thousand: they share it. */
const oneByName: SubscriptionCount = { byName: 1, byRegex: 0 };

/** What there is more, or less, of each of many topics. */
interface Recount {
  readonly topics: Iterable<string>;
  readonly byName: number;
  readonly byRegex: number;
}

/** What a group's members subscribe to, counted as members and resolved expressions come and go. */
export class Subscriptions {
  readonly #timeline: Timeline;
  /** A member may name as many as a record has room for: they change together. */
  readonly #topics = new Map<string, SubscriptionCount>();
  readonly #regexMembers: TimelineMap<string, number>;
  readonly #resolved: TimelineMap<string, ResolvedRegex>;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
    this.#regexMembers = new TimelineMap(timeline);
    this.#resolved = new TimelineMap(timeline);
  }

  /** Topics that a member names or that an expression matched, there or not. */
  get topicNames(): string[] {
    return [...this.#topics.keys()];
  }

  has(topic: string): boolean {
    return this.#topics.has(topic);
  }

  /** Expressions that members have. */
  get regexes(): string[] {
    return this.#regexMembers.entries().map(([regex]) => regex);
  }

  get hasRegexes(): boolean {
    return this.#regexMembers.size > 0;
  }

  membersWith(regex: string): number {
    return this.#regexMembers.get(regex) ?? 0;
  }

  resolved(regex: string): ResolvedRegex | undefined {
    return this.#resolved.get(regex);
  }

  get resolvedRegexes(): [string, ResolvedRegex][] {
    return this.#resolved.entries();
  }

  /** A member's names, and what its expression was last resolved to. */
  topicsOf({
    subscribedTopicNames,
    subscribedTopicRegex,
  }: ConsumerGroupMember): ReadonlySet<string> {
    const matched = this.#resolved.get(subscribedTopicRegex)?.topics;
    if (matched === undefined) return subscribedTopicNames;
    if (subscribedTopicNames.size === 0) return matched;
    return new Set([...subscribedTopicNames, ...matched]);
  }

  /** A member takes another's place, or nobody's, or goes. */
  replace(before: ConsumerGroupMember | undefined, after: ConsumerGroupMember | undefined): void {
    if (before?.subscribedTopicNames !== after?.subscribedTopicNames) {
      this.#recount({ topics: before?.subscribedTopicNames ?? [], byName: -1, byRegex: 0 });
      this.#recount({ topics: after?.subscribedTopicNames ?? [], byName: 1, byRegex: 0 });
    }
    if (before?.subscribedTopicRegex !== after?.subscribedTopicRegex) {
      this.#countRegex(before?.subscribedTopicRegex, -1);
      this.#countRegex(after?.subscribedTopicRegex, 1);
    }
  }

  resolve(regex: string, after: ResolvedRegex | undefined): void {
    const before = this.#resolved.get(regex)?.topics ?? [];
    this.#recount({ topics: before, byName: 0, byRegex: -1 });
    this.#recount({ topics: after?.topics ?? [], byName: 0, byRegex: 1 });
    this.#resolved.set(regex, after);
  }

  /**
   * All members subscribe to the same topics: all by the same names, or all by one expression and no names.
   * [ConsumerGroup.subscriptionType]
   */
  isHomogeneous(memberCount: number): boolean {
    const counts = [...this.#topics.values()];
    if (!this.hasRegexes) return counts.every(({ byName }) => byName === memberCount);
    const [regexMemberCount] = this.#regexMembers.values();
    return (
      regexMemberCount === memberCount &&
      counts.every(({ byName, byRegex }) => byRegex === 1 && byName === 0)
    );
  }

  #recount({ topics, byName, byRegex }: Recount): void {
    for (const topic of topics) this.#count(topic, byName, byRegex);
    const revert = (): void => {
      for (const topic of topics) this.#count(topic, -byName, -byRegex);
    };
    this.#timeline.record({ revert, settle: () => undefined });
  }

  #count(topic: string, names: number, regexes: number): void {
    const before = this.#topics.get(topic) ?? nobody;
    const byName = before.byName + names;
    const byRegex = before.byRegex + regexes;
    if (byName <= 0 && byRegex <= 0) this.#topics.delete(topic);
    else if (byName === 1 && byRegex === 0) this.#topics.set(topic, oneByName);
    else this.#topics.set(topic, { byName, byRegex });
  }

  #countRegex(regex: string | undefined, change: number): void {
    if (regex === undefined || regex === '') return;
    const count = this.membersWith(regex) + change;
    this.#regexMembers.set(regex, count > 0 ? count : undefined);
  }
}
