import { randomFillSync } from 'node:crypto';

/** Randomness, injected, so that a test can print its seed and replay it. */
export interface Random {
  /** `size` random bytes. */
  bytes(size: number): Uint8Array;
  /** A whole number from 0 up to, not including, `limit` (1 to 2^32). */
  below(limit: number): number;
}

/** The operating system's cryptographic source. */
export const systemRandom: Random = {
  bytes: (size) => randomFillSync(new Uint8Array(size)),
  below(limit) {
    const [value = 0] = randomFillSync(new Uint32Array(1));
    return Math.floor((value / 2 ** 32) * limit);
  },
};

/** A repeatable source for tests and simulations (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    bytes: (size) => Uint8Array.from({ length: size }, () => next() & 0xff),
    below: (limit) => Math.floor((next() / 2 ** 32) * limit),
  };
}
