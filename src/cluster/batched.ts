import { t } from '../base/l10n.ts';
import type { Outcome } from '../client/outcome.ts';
import { valueOf } from '../client/outcome.ts';
import { orCancelled } from '../client/waiting.ts';

interface Batch<V> {
  readonly keys: Set<string>;
  readonly answers: Promise<ReadonlyMap<string, Outcome<V>>>;
}

/**
 * Makes one reading of many: what is asked for in the same turn of the event loop is read together, so that as many
 * open rows as there may be cost one request and not one each.
 */
export class Batched<V> {
  readonly #read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Outcome<V>>>;
  #gathering: Batch<V> | undefined;

  /** `read` answers for each key, or rejects for all of them. */
  constructor(read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Outcome<V>>>) {
    this.#read = read;
  }

  /** One that is cancelled leaves the reading to the others. */
  async get(key: string, signal?: AbortSignal): Promise<V> {
    this.#gathering ??= this.#newBatch();
    const { keys, answers } = this.#gathering;
    keys.add(key);
    const outcome = (await orCancelled(answers, signal)).get(key);
    if (!outcome) throw new Error(t('there was no answer for {0}', key));
    return valueOf(outcome);
  }

  #newBatch(): Batch<V> {
    const keys = new Set<string>();
    const turn = new Promise((resolve) => setImmediate(resolve));
    const answers = turn.then(() => {
      this.#gathering = undefined;
      return this.#read([...keys]);
    });
    return { keys, answers };
  }
}
