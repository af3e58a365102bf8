import { hash } from 'node:crypto';

/** Bytes of a slot: 16 of the key's digest, 8 of the offset; as in Kafka [SkimpyOffsetMap]. */
const slotBytes = 24;
const wordsPerKey = 4;
/** Linear probing stays short up to here. */
const loadFactor = 0.75;

/**
 * The latest offset of each key, in a bounded amount of memory. Keys are known by 16 bytes of their SHA-256:
 * Kafka takes MD5, with which two keys can be made that look alike, so that compaction drops one of them.
 */
export class OffsetMap {
  readonly #slots: number;
  readonly #keys: Int32Array;
  /** Offset minus `#origin` plus 1; 0 marks a free slot. */
  readonly #offsets: Float64Array;
  readonly #origin: bigint;
  #size = 0;
  #latestOffset: bigint;

  /** Room for `records` keys, if `maxBytes` allow; offsets are at or past `origin`. */
  constructor(options: {
    readonly origin: bigint;
    readonly records: number;
    readonly maxBytes: number;
  }) {
    const wanted = Math.ceil(options.records / loadFactor) + 1;
    this.#slots = Math.max(2, Math.min(wanted, Math.floor(options.maxBytes / slotBytes)));
    this.#keys = new Int32Array(this.#slots * wordsPerKey);
    this.#offsets = new Float64Array(this.#slots);
    this.#origin = options.origin;
    this.#latestOffset = options.origin - 1n;
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size >= Math.max(1, Math.floor(this.#slots * loadFactor));
  }

  /** Records past this one were not looked at. */
  get latestOffset(): bigint {
    return this.#latestOffset;
  }

  noteRead(upTo: bigint): void {
    if (upTo > this.#latestOffset) this.#latestOffset = upTo;
  }

  /** Must not be called once the map is full. */
  put(key: Uint8Array, offset: bigint): void {
    const digest = hash('sha256', key, 'buffer');
    const slot = this.#slotOf(digest);
    if (this.#offsets[slot] === 0) {
      for (let word = 0; word < wordsPerKey; word++)
        this.#keys[slot * wordsPerKey + word] = digest.readInt32BE(word * 4);
      this.#size++;
    }
    this.#offsets[slot] = Number(offset - this.#origin) + 1;
    this.noteRead(offset);
  }

  get(key: Uint8Array): bigint | undefined {
    const relative = this.#offsets[this.#slotOf(hash('sha256', key, 'buffer'))] ?? 0;
    return relative === 0 ? undefined : this.#origin + BigInt(relative - 1);
  }

  /** Where the key is or, if it is not there, the free slot where it belongs. */
  #slotOf(digest: Buffer): number {
    for (let slot = digest.readUInt32BE(0) % this.#slots; ; slot = (slot + 1) % this.#slots)
      if (this.#offsets[slot] === 0 || this.#holds(slot, digest)) return slot;
  }

  #holds(slot: number, digest: Buffer): boolean {
    for (let word = 0; word < wordsPerKey; word++)
      if (this.#keys[slot * wordsPerKey + word] !== digest.readInt32BE(word * 4)) return false;
    return true;
  }
}
