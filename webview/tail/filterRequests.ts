/** Filters that were asked for one after the other: what comes of one is not shown after what came of a newer one. */
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { tailHost } from '../../src/shared/contracts/tail.ts';
import type { FilterShow, TimeSpan } from '../../src/shared/contracts/tailQuery.ts';
import type { Host } from '../kit/host.ts';

export interface AskedFilter {
  readonly filter: string;
  readonly show: FilterShow;
  readonly within?: TimeSpan | undefined;
}

export class FilterRequests {
  readonly #host: Host<typeof tailHost>;
  readonly #onAnswer: (asked: AskedFilter, error: UserError | undefined) => void;
  /** How many were asked for, and which of them is in force. */
  #asked = 0;
  #answered = 0;

  /** `onAnswer`: what was asked for is in force, or why it cannot be. */
  constructor(
    host: Host<typeof tailHost>,
    onAnswer: (asked: AskedFilter, error: UserError | undefined) => void,
  ) {
    this.#host = host;
    this.#onAnswer = onAnswer;
  }

  async ask(asked: AskedFilter): Promise<void> {
    const mine = ++this.#asked;
    const { filter, show, within } = asked;
    const { error } = await this.#host.call('setFilter', {
      filter,
      show,
      ...(within && { within }),
    });
    // A newer one was quicker.
    if (mine < this.#answered) return;
    this.#answered = mine;
    this.#onAnswer(asked, error);
  }
}
