/** XXH3, 64 bits, seed 0: a fast hash that Kafka puts into records. [https://github.com/Cyan4973/xxHash] */

const mask32 = 0xffffffffn;
const prime32 = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn] as const;
const prime64 = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;

/** The specification's own secret. */
const secret = view(
  Buffer.from(
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221' +
      'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8' +
      'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb' +
      '170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e',
    'hex',
  ),
);

const stripeBytes = 64;
const stripesPerBlock = 16;
/** Where in the secret its last stripe starts. */
const lastStripe = 128;

/** The hash as a signed number, as Java has it. */
export function xxh3(bytes: Uint8Array): bigint {
  return BigInt.asIntN(64, hash(view(bytes)));
}

function hash(input: DataView): bigint {
  const length = input.byteLength;
  if (length <= 16) return hashShort(input, length);
  if (length <= 128) return hashMedium(input, length);
  return length <= 240 ? hashLonger(input, length) : hashLong(input, length);
}

function hashShort(input: DataView, length: number): bigint {
  if (length > 8) {
    const low = read64(input, 0) ^ read64(secret, 24) ^ read64(secret, 32);
    const high = read64(input, length - 8) ^ read64(secret, 40) ^ read64(secret, 48);
    return avalanche(BigInt(length) + swap64(low) + high + fold(low, high));
  }
  if (length >= 4) {
    const both = read32(input, length - 4) + (read32(input, 0) << 32n);
    return mixShort(both ^ read64(secret, 8) ^ read64(secret, 16), length);
  }
  if (length === 0) return avalanche64(read64(secret, 56) ^ read64(secret, 64));
  const [first, middle, last] = [0, length >> 1, length - 1].map((at) =>
    BigInt(input.getUint8(at)),
  ) as [bigint, bigint, bigint];
  const all = (first << 16n) | (middle << 24n) | last | (BigInt(length) << 8n);
  return avalanche64(all ^ read32(secret, 0) ^ read32(secret, 4));
}

function hashMedium(input: DataView, length: number): bigint {
  let sum = BigInt(length) * prime64[0];
  for (let pair = (length - 1) >> 5; pair >= 0; pair--) {
    sum += mix16(input, 16 * pair, 32 * pair);
    sum += mix16(input, length - 16 * (pair + 1), 32 * pair + 16);
  }
  return avalanche(sum);
}

function hashLonger(input: DataView, length: number): bigint {
  let sum = BigInt(length) * prime64[0];
  for (let index = 0; index < 8; index++) sum += mix16(input, 16 * index, 16 * index);
  sum = avalanche(sum);
  for (let index = 8; index < length >> 4; index++) {
    sum += mix16(input, 16 * index, 16 * (index - 8) + 3);
  }
  return avalanche(sum + mix16(input, length - 16, 136 - 17));
}

function hashLong(input: DataView, length: number): bigint {
  const lanes = BigUint64Array.of(
    prime32[2],
    prime64[0],
    prime64[1],
    prime64[2],
    prime64[3],
    prime32[1],
    prime64[4],
    prime32[0],
  );
  const stripeCount = Math.floor((length - 1) / stripeBytes);
  for (let stripe = 0; stripe < stripeCount; stripe++) {
    const inBlock = stripe % stripesPerBlock;
    accumulate(lanes, { input, at: stripe * stripeBytes, secretAt: inBlock * 8 });
    if (inBlock === stripesPerBlock - 1) scramble(lanes);
  }
  accumulate(lanes, { input, at: length - stripeBytes, secretAt: lastStripe - 7 });
  let sum = BigInt(length) * prime64[0];
  for (let index = 0; index < 4; index++) {
    const [even, odd] = [lane(lanes, 2 * index), lane(lanes, 2 * index + 1)];
    sum += fold(even ^ read64(secret, 11 + 16 * index), odd ^ read64(secret, 19 + 16 * index));
  }
  return avalanche(sum);
}

interface Stripe {
  readonly input: DataView;
  readonly at: number;
  readonly secretAt: number;
}

function accumulate(lanes: BigUint64Array, { input, at, secretAt }: Stripe): void {
  for (let index = 0; index < lanes.length; index++) {
    const value = read64(input, at + 8 * index);
    const keyed = value ^ read64(secret, secretAt + 8 * index);
    lanes[index ^ 1] = lane(lanes, index ^ 1) + value;
    lanes[index] = lane(lanes, index) + (keyed & mask32) * (keyed >> 32n);
  }
}

function scramble(lanes: BigUint64Array): void {
  for (let index = 0; index < lanes.length; index++) {
    const value = lane(lanes, index);
    const mixed = value ^ (value >> 47n) ^ read64(secret, lastStripe + 8 * index);
    lanes[index] = mixed * prime32[0];
  }
}

function lane(lanes: BigUint64Array, index: number): bigint {
  return lanes[index] ?? 0n;
}

function mix16(input: DataView, at: number, secretAt: number): bigint {
  const low = read64(input, at) ^ read64(secret, secretAt);
  const high = read64(input, at + 8) ^ read64(secret, secretAt + 8);
  return fold(low, high);
}

/** Both halves of the 128-bit product. */
function fold(one: bigint, other: bigint): bigint {
  const product = one * other;
  return wrap(product) ^ (product >> 64n);
}

function mixShort(keyed: bigint, length: number): bigint {
  const factor = 0x9fb21c651e98df25n;
  let mixed = keyed ^ rotate(keyed, 49n) ^ rotate(keyed, 24n);
  mixed = wrap(mixed * factor);
  mixed ^= (mixed >> 35n) + BigInt(length);
  mixed = wrap(wrap(mixed) * factor);
  return mixed ^ (mixed >> 28n);
}

function avalanche(sum: bigint): bigint {
  let mixed = wrap(sum);
  mixed = wrap((mixed ^ (mixed >> 37n)) * 0x165667919e3779f9n);
  return mixed ^ (mixed >> 32n);
}

function avalanche64(sum: bigint): bigint {
  let mixed = sum ^ (sum >> 33n);
  mixed = wrap(mixed * prime64[1]);
  mixed = wrap((mixed ^ (mixed >> 29n)) * prime64[2]);
  return mixed ^ (mixed >> 32n);
}

function rotate(value: bigint, bits: bigint): bigint {
  return wrap((value << bits) | (value >> (64n - bits)));
}

function swap64(value: bigint): bigint {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes.readBigUInt64BE();
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function read64(from: DataView, at: number): bigint {
  return from.getBigUint64(at, true);
}

function read32(from: DataView, at: number): bigint {
  return BigInt(from.getUint32(at, true));
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
