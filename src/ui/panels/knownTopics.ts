import type { TopicSummary } from '../../cluster/model.ts';
import type { TopicChoice } from '../../shared/contracts/common.ts';

/** Somebody who types asks often; the list of a large cluster is not small. */
const refreshEveryMs = 2000;
/** After this, what is known has to do. */
const refreshLimitMs = 10_000;

export interface TopicSource {
  read(signal: AbortSignal): Promise<readonly TopicSummary[]>;
  nowMs(): number;
}

/** The topics that a person can name in a panel, as the cluster last listed them. */
export class KnownTopics {
  readonly #source: TopicSource;
  #all: readonly TopicChoice[] = [];
  #askedAtMs = -Infinity;

  constructor(source: TopicSource) {
    this.#source = source;
  }

  get all(): readonly TopicChoice[] {
    return this.#all;
  }

  /** As a page asks for them. */
  async current(signal: AbortSignal): Promise<{ topics: TopicChoice[] }> {
    await this.refresh(signal);
    return { topics: [...this.#all] };
  }

  async read(signal: AbortSignal): Promise<void> {
    const topics = await this.#source.read(signal);
    this.#all = topics
      .filter(({ isInternal }) => !isInternal)
      .map(({ name, partitionCount }) => ({ name, partitionCount }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Reads the list again, unless that was just done. Where it cannot be read, what is known stays. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#source.nowMs() - this.#askedAtMs < refreshEveryMs) return;
    try {
      await this.read(AbortSignal.any([signal, AbortSignal.timeout(refreshLimitMs)]));
    } catch {
      // What is done next says why the cluster cannot be asked.
    }
    if (!signal.aborted) this.#askedAtMs = this.#source.nowMs();
  }
}
