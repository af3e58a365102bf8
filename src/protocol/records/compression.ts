import { promisify } from 'node:util';
import {
  constants,
  gunzip,
  gunzipSync,
  gzip as gzipInBackground,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
  type ZlibOptions,
  type ZstdOptions,
} from 'node:zlib';
import { compressLz4, decompressLz4, lz4Steps } from './lz4.ts';
import { RecordBatchError } from './recordBatchError.ts';
import { compressSnappy, decompressSnappy } from './snappy.ts';

/** Kafka's names for the ways a batch can be compressed. */
export type CompressionType = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

/** In the order of the ids in a batch's attributes. [CompressionType] */
const compressionTypes: readonly CompressionType[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** What is decompressed at most, unless a caller says otherwise: as large as the largest request. */
export const defaultMaxDecompressedBytes = 104_857_600;

interface Compression {
  compress(bytes: Uint8Array, level?: number): Buffer;
  /** Throws if more than `maxBytes` would come out. */
  decompress(bytes: Uint8Array, maxBytes: number): Buffer;
}

const gzip: Compression = {
  compress: (bytes, level) => gzipSync(bytes, withLevel(level)),
  decompress: (bytes, maxBytes) => gunzipSync(bytes, { maxOutputLength: maxBytes }),
};

const zstd: Compression = {
  compress: (bytes, level) => zstdCompressSync(bytes, withZstdLevel(level)),
  decompress: (bytes, maxBytes) => wholeZstd(bytes, zstdDecompressSync(bytes, withInfo(maxBytes))),
};

const none: Compression = {
  compress: (bytes) => Buffer.from(bytes),
  decompress: (bytes) => Buffer.from(bytes),
};

const compressions: Record<CompressionType, Compression> = {
  none,
  gzip,
  snappy: { compress: compressSnappy, decompress: decompressSnappy },
  lz4: { compress: compressLz4, decompress: decompressLz4 },
  zstd,
};

const withInfo = (maxBytes: number): ZstdOptions => ({ maxOutputLength: maxBytes, info: true });

/** Node leaves what follows the last frame alone, where Java's reader fails. [ZstdInputStreamNoFinalizer] */
function wholeZstd(bytes: Uint8Array, output: Buffer): Buffer {
  // With `info` both are answered, which the types do not tell.
  const { buffer, engine } = output as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  if (engine.bytesWritten < bytes.length) throw new Error('bytes follow the last frame');
  return buffer;
}

function withLevel(level: number | undefined): ZlibOptions {
  return level === undefined ? {} : { level };
}

function withZstdLevel(level: number | undefined): ZstdOptions {
  return level === undefined ? {} : { params: { [constants.ZSTD_c_compressionLevel]: level } };
}

/** The type with this id; a RecordBatchError for the ids that Kafka does not use (5 to 7). */
export function compressionTypeOf(id: number): CompressionType {
  const type = compressionTypes[id];
  if (type === undefined) {
    throw new RecordBatchError('INVALID_RECORD', `there is no compression type ${id}`);
  }
  return type;
}

export function isCompressionId(id: number): boolean {
  return compressionTypes[id] !== undefined;
}

export function compressionId(type: CompressionType): number {
  return compressionTypes.indexOf(type);
}

/** Compresses the records of a batch; `level` is the codec's own, with Kafka's default if left out. */
export function compress(type: CompressionType, bytes: Uint8Array, level?: number): Buffer {
  return compressions[type].compress(bytes, level);
}

/**
 * Decompresses the records of a batch. Throws a RecordBatchError for damaged bytes, and where more
 * than `maxBytes` would come out.
 */
export function decompress(type: CompressionType, bytes: Uint8Array, maxBytes: number): Buffer {
  try {
    return compressions[type].decompress(bytes, maxBytes);
  } catch (error) {
    throw undecompressed(type, maxBytes, error);
  }
}

/** As `decompress`, beside the event loop where the codec can; elsewhere `pause` is called between steps. */
export async function decompressInBackground(
  type: CompressionType,
  bytes: Uint8Array,
  options: { readonly maxBytes: number; readonly pause: () => Promise<void> },
): Promise<Buffer> {
  const { maxBytes, pause } = options;
  try {
    if (type === 'gzip') return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
    if (type === 'zstd')
      return wholeZstd(bytes, await promisify(zstdDecompress)(bytes, withInfo(maxBytes)));
    if (type !== 'lz4') return compressions[type].decompress(bytes, maxBytes);
    const steps = lz4Steps(bytes, maxBytes);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await pause();
    }
  } catch (error) {
    throw undecompressed(type, maxBytes, error);
  }
}

/** As `compress`, beside the event loop where the codec can. */
export async function compressInBackground(
  type: CompressionType,
  bytes: Uint8Array,
): Promise<Buffer> {
  if (type === 'gzip') return promisify(gzipInBackground)(bytes);
  if (type === 'zstd') return promisify(zstdCompress)(bytes);
  return compress(type, bytes);
}

function undecompressed(type: CompressionType, maxBytes: number, error: unknown): RecordBatchError {
  const reason = isTooLarge(error)
    ? `decompresses to more than ${maxBytes} bytes`
    : 'cannot be decompressed';
  return new RecordBatchError('INVALID_RECORD', `a batch in ${type} ${reason}`, error);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
