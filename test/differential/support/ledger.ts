import type { ApiName } from '../../../src/protocol/apis.ts';
import { errorsIn } from './compare.ts';
import { versionClass } from './versionClasses.ts';

/** What has been compared and found equal: for each API its outcomes. */
export class Ledger {
  readonly #outcomes = new Map<ApiName, Set<string>>();

  add(api: ApiName, version: number, answer: unknown): void {
    const outcomes = this.#outcomes.get(api) ?? new Set();
    this.#outcomes.set(api, outcomes);
    const errors = errorsIn(answer);
    if (errors.size === 0) outcomes.add(`v${versionClass(api, version)}`);
    for (const error of errors) outcomes.add(error);
  }

  addClosed(api: ApiName): void {
    const outcomes = this.#outcomes.get(api) ?? new Set();
    this.#outcomes.set(api, outcomes.add('closed'));
  }

  /** Answers without an error, by the version that brought their form: `v3`. */
  forms(api: ApiName): string[] {
    return this.#of(api).filter((outcome) => /^v\d+$/.test(outcome));
  }

  /** Names of errors, and `closed` for a connection that the server closed. */
  errors(api: ApiName): string[] {
    return this.#of(api).filter((outcome) => !/^v\d+$/.test(outcome));
  }

  get size(): number {
    return [...this.#outcomes.values()].reduce((sum, outcomes) => sum + outcomes.size, 0);
  }

  #of(api: ApiName): string[] {
    return [...(this.#outcomes.get(api) ?? [])].sort((a, b) =>
      a.localeCompare(b, 'en', { numeric: true }),
    );
  }
}
