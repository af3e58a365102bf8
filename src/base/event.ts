import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; disposing the result unsubscribes it. Assignable to `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The owning side of an `Event`. A listener added or removed while firing counts from the next fire. */
export class Emitter<T> implements Disposable {
  #listeners = new Set<{ call: (value: T) => void }>();

  readonly event: Event<T> = (listener) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  fire(value: T): void {
    for (const { call } of [...this.#listeners]) call(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
