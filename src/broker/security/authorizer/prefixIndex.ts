/**
 * Values by prefix, found by a name in one walk along it: each beginning has a hash made of the one before, and only
 * where a prefix has the same are texts compared. Cutting the name at each length that some prefix has would cost the
 * product of both, for names and prefixes as long as clients like.
 */
export class PrefixIndex<T> {
  readonly #byHash = new Map<number, Map<string, T>>();

  /** Who looks a prefix up sets it next: prefixes can be long. */
  #last = { text: '', hash: 0 };

  get(prefix: string): T | undefined {
    return this.#byHash.get(this.#hashOf(prefix))?.get(prefix);
  }

  set(prefix: string, value: T): void {
    const hash = this.#hashOf(prefix);
    const same = this.#byHash.get(hash) ?? new Map<string, T>();
    this.#byHash.set(hash, same);
    same.set(prefix, value);
  }

  delete(prefix: string): void {
    const hash = this.#hashOf(prefix);
    const same = this.#byHash.get(hash);
    same?.delete(prefix);
    if (same?.size === 0) this.#byHash.delete(hash);
  }

  #hashOf(text: string): number {
    if (this.#last.text !== text) this.#last = { text, hash: hashOf(text) };
    return this.#last.hash;
  }

  /** The values of all prefixes of the name, the shortest prefix first. */
  *beginningsOf(name: string): Generator<T> {
    if (this.#byHash.size === 0) return;
    for (let at = 0, hash = 0; at < name.length; at++) {
      hash = nextHash(hash, name.charCodeAt(at));
      for (const [prefix, value] of this.#byHash.get(hash) ?? [])
        if (prefix.length === at + 1 && name.startsWith(prefix)) yield value;
    }
  }
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = nextHash(hash, text.charCodeAt(at));
  return hash;
}

/** As `String.hashCode` in Java. */
const nextHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;
