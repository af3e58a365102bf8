import { defined } from '../../../base/assert.ts';

/**
 * Hands out members to give a partition to, least loaded first, and to take one from, most loaded first, so that
 * loads come closer. Members with equal load form a range at either end of the sorted list; a range that is through
 * has one more, or one less, and grows by the neighbours with as many.
 * [UniformHeterogeneousAssignmentBuilder.MemberAssignmentBalancer]
 */
export class MemberBalancer {
  /** How many partitions each member has; the caller keeps it up to date. */
  readonly #loads: readonly number[];
  readonly #sorted: number[];
  #leastEnd = 0;
  #leastLoad: number;
  #nextLeast = 0;
  #mostStart: number;
  /** Those at or behind it have nothing to give. */
  #mostEnd: number;
  #mostLoad: number;
  #nextMost: number;

  /** `members` are indices into `loads`; at least one. */
  constructor(loads: readonly number[], members: readonly number[]) {
    this.#loads = loads;
    this.#sorted = [...members].sort(
      (one, other) => this.#load(one) - this.#load(other) || one - other,
    );
    this.#leastLoad = this.#loadAt(0) - 1;
    this.#mostStart = this.#mostEnd = members.length;
    this.#mostLoad = this.#loadAt(members.length - 1) + 1;
    this.#nextMost = members.length - 1;
  }

  /** Between the most and the least loaded member, before anything was handed out. */
  get imbalance(): number {
    return this.#mostLoad - 1 - (this.#leastLoad + 1);
  }

  isBalanced(): boolean {
    return this.#mostLoad - this.#leastLoad <= 1;
  }

  /** A member that is to get a partition. */
  nextLeastLoaded(): number {
    if (this.#nextLeast >= this.#leastEnd) {
      this.#leastLoad++;
      while (
        this.#leastEnd < this.#sorted.length &&
        this.#loadAt(this.#leastEnd) === this.#leastLoad
      ) {
        this.#leastEnd++;
      }
      this.#nextLeast = 0;
    }
    return this.#memberAt(this.#nextLeast++);
  }

  /** A member that is to lose a partition; undefined: none has any to give. */
  nextMostLoaded(): number | undefined {
    if (this.#nextMost < this.#mostStart) {
      const isRangeEmpty = this.#mostEnd <= this.#mostStart && this.#mostStart > 0;
      this.#mostLoad = isRangeEmpty ? this.#loadAt(this.#mostStart - 1) : this.#mostLoad - 1;
      while (this.#mostStart > 0 && this.#loadAt(this.#mostStart - 1) === this.#mostLoad) {
        this.#mostStart--;
      }
      this.#nextMost = this.#mostEnd - 1;
    }
    return this.#nextMost < 0 ? undefined : this.#memberAt(this.#nextMost--);
  }

  /** The member just handed out to lose a partition has none. */
  excludeMostLoaded(): void {
    const index = this.#nextMost + 1;
    const excluded = this.#memberAt(index);
    this.#sorted[index] = this.#memberAt(this.#mostEnd - 1);
    this.#sorted[--this.#mostEnd] = excluded;
  }

  #memberAt(index: number): number {
    return defined(this.#sorted[index], 'a member');
  }

  #loadAt(index: number): number {
    return this.#load(this.#memberAt(index));
  }

  #load(member: number): number {
    return defined(this.#loads[member], 'a load');
  }
}
