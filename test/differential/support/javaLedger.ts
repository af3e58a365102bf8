/** What Java's client was seen to give alike on both sides: for each method what came of it. */
export class JavaLedger {
  readonly #outcomes = new Map<string, Set<string>>();
  /** Of the interfaces `Admin`, `Producer` and `Consumer`: `Admin.createTopics`. */
  methods: readonly string[] = [];

  /** What both sides came to; exceptions that only one has count for nothing. */
  add(method: string, ours: unknown, kafkas: unknown): void {
    const outcomes = this.#outcomes.get(method) ?? new Set();
    this.#outcomes.set(method, outcomes);
    const mine = outcomesIn(ours);
    for (const outcome of outcomesIn(kafkas)) if (mine.has(outcome)) outcomes.add(outcome);
  }

  /** `answered`, and names of exceptions. */
  of(method: string): string[] {
    return [...(this.#outcomes.get(method) ?? [])].sort();
  }

  /** Those of which something was alike. */
  get compared(): string[] {
    return [...this.#outcomes.keys()].filter((method) => this.of(method).length > 0).sort();
  }

  get size(): number {
    return [...this.#outcomes.values()].reduce((sum, outcomes) => sum + outcomes.size, 0);
  }
}

function outcomesIn(outcome: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('exception' in value && typeof value.exception === 'string') found.add(value.exception);
    Object.values(value).forEach(visit);
  };
  visit(outcome);
  return found.size === 0 ? new Set(['answered']) : found;
}
