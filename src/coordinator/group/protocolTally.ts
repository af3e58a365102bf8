import { defined } from '../../base/assert.ts';
import type { ClassicGroupMember, MemberProtocol } from './classicGroupMember.ts';

/** How many members of a group know each protocol. */
export class ProtocolTally {
  readonly #counts = new Map<string, number>();

  add(protocols: readonly MemberProtocol[]): void {
    for (const { name } of protocols) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  remove(protocols: readonly MemberProtocol[]): void {
    for (const { name } of protocols) {
      const count = (this.#counts.get(name) ?? 0) - 1;
      if (count > 0) this.#counts.set(name, count);
      else this.#counts.delete(name);
    }
  }

  /** Whether all of `memberCount` members know the protocol. */
  isCommon(name: string, memberCount: number): boolean {
    return (this.#counts.get(name) ?? 0) === memberCount;
  }

  /** Each member votes for the first of its protocols that all know; the first with most votes wins. */
  elect(members: readonly ClassicGroupMember[]): string {
    const votes = new Map<string, number>();
    for (const member of members) {
      const choice = member.protocols.find(({ name }) => this.isCommon(name, members.length));
      const { name } = defined(choice, 'a protocol that all members know');
      votes.set(name, (votes.get(name) ?? 0) + 1);
    }
    const [winner] = [...votes].reduce((best, next) => (next[1] > best[1] ? next : best));
    return winner;
  }
}
