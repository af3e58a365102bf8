import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; disposing the result unsubscribes it. Assignable to `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

type Listeners<T> = Set<{ call: (value: T) => void }>;

/**
 * The owning side of an `Event`. A listener added or removed while firing counts from the next fire. It takes next to
 * no memory before somebody listens.
 */
export class Emitter<T> implements Disposable {
  #listeners: Listeners<T> | undefined;
  #event: Event<T> | undefined;

  get event(): Event<T> {
    return (this.#event ??= (listener) => {
      const entry = { call: listener };
      const listeners = (this.#listeners ??= new Set());
      listeners.add(entry);
      return toDisposable(() => listeners.delete(entry));
    });
  }

  get hasListeners(): boolean {
    return this.#listeners !== undefined && this.#listeners.size > 0;
  }

  fire(value: T): void {
    for (const { call } of [...(this.#listeners ?? [])]) call(value);
  }

  dispose(): void {
    this.#listeners?.clear();
  }
}
