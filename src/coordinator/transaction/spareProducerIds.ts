/** Ids for one decision, which has to be made without waiting. */
interface ReservedId {
  readonly take: () => bigint;
  /** Keeps the id for another decision, if this one did not need it. */
  readonly giveBack: () => void;
}

/** Producer ids that are there before it is known whether they are needed. */
export class SpareProducerIds {
  readonly #take: () => Promise<bigint>;
  readonly #spare: bigint[] = [];

  constructor(take: () => Promise<bigint>) {
    this.#take = take;
  }

  /** Undefined where no id can be had now. */
  async reserve(): Promise<ReservedId | undefined> {
    let id: bigint;
    try {
      id = this.#spare.pop() ?? (await this.#take());
    } catch {
      return undefined;
    }
    let isTaken = false;
    return {
      take: () => {
        isTaken = true;
        return id;
      },
      giveBack: () => {
        if (!isTaken) this.#spare.push(id);
      },
    };
  }
}
