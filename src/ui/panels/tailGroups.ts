/** The groups whose commits a tail may start from, as somebody types the name of one. */
import type { Clock } from '../../base/clock.ts';

/** As many as are read in a list. */
const mostGroups = 50;
/** Every key asks; the cluster is asked again when what it said is older. */
const keptMs = 10_000;
/** What is longer is not chosen from a list. */
const longestName = 1000;

export interface GroupNamesOptions {
  readonly clock: Clock;
  /** All that there are. */
  readonly list: () => Promise<readonly { readonly groupId: string }[]>;
}

export class GroupNames {
  readonly #options: GroupNamesOptions;
  #listed: { readonly names: Promise<string[]>; readonly untilMs: number } | undefined;

  constructor(options: GroupNamesOptions) {
    this.#options = options;
  }

  /** The first that hold the text, whatever its case; none where the cluster does not say. */
  async like(text: string): Promise<string[]> {
    const wanted = text.toLowerCase();
    const names = await this.#names();
    return names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, mostGroups);
  }

  async #names(): Promise<string[]> {
    const { clock } = this.#options;
    const nowMs = clock.monotonicMs();
    if (!this.#listed || this.#listed.untilMs <= nowMs)
      this.#listed = { names: this.#list(), untilMs: nowMs + keptMs };
    try {
      return await this.#listed.names;
    } catch {
      this.#listed = undefined;
      return [];
    }
  }

  async #list(): Promise<string[]> {
    const groups = await this.#options.list();
    const names = groups.map(({ groupId }) => groupId);
    return names.filter((name) => name.trim() === name && name !== '' && name.length < longestName);
  }
}
