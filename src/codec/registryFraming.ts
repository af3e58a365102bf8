/** What Confluent's serializers write in front: a zero byte and the id of a schema in the registry. */
export interface RegistryFrame {
  readonly schemaId: number;
  readonly payload: Buffer;
}

const magicByte = 0;
const headBytes = 5;

/** The frame, if the bytes begin as one does. They may be something else all the same. */
export function registryFrame(bytes: Buffer): RegistryFrame | undefined {
  if (bytes.length < headBytes || bytes[0] !== magicByte) return undefined;
  return { schemaId: bytes.readUInt32BE(1), payload: bytes.subarray(headBytes) };
}

/**
 * Behind the id, Protobuf has the path to its message: a count and as many indexes, zigzag varints; a single
 * zero is the first message. Undefined: there is no path. [MessageIndexes]
 */
export function afterMessageIndexes(payload: Buffer): Buffer | undefined {
  const count = zigzag(payload, 0);
  if (!count || count.value < 0 || count.value > 64) return undefined;
  let { end } = count;
  for (let index = 0; index < count.value; index++) {
    const next = zigzag(payload, end);
    if (!next) return undefined;
    ({ end } = next);
  }
  return payload.subarray(end);
}

function zigzag(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let raw = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    raw |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return { value: (raw >>> 1) ^ -(raw & 1), end: start + index + 1 };
  }
  return undefined;
}
