import { crc32c } from '../protocol/crc32c.ts';
import {
  type BatchHeader,
  batchHeaderBytes,
  batchSizeAt,
  readBatchHeader,
  type RecordBatch,
  verifyBatch,
} from '../protocol/records/recordBatch.ts';
import { RecordBatchError } from '../protocol/records/recordBatchError.ts';
import { readFully } from './atomicFile.ts';
import type { OpenFile } from './fileSystem.ts';

/** A batch that claims more than this is checked piece by piece, so that a damaged length costs no memory. */
const largestViewBytes = 4 << 20;
/** Where the checksum of a batch begins to count [DefaultRecordBatch]. */
const checksummedFrom = 21;

export interface ScanOptions {
  readonly from: number;
  /** The file counts as this long. */
  readonly to: number;
  /**
   * How much of each batch is read: `headers`, which also brings the bytes of control batches; or `all`,
   * with the checksum verified.
   */
  readonly depth: 'headers' | 'all';
  /** Bytes per read of the file; 1 MiB unless said otherwise. */
  readonly chunkBytes?: number;
}

export interface ScannedBatch {
  readonly header: BatchHeader;
  readonly position: number;
  /** The whole batch, as a view that the next one overwrites; with depth `headers` of control batches only. */
  readonly batch: RecordBatch | undefined;
}

/** Why and where a scan ended before the end of the file. */
export interface ScanResult {
  /** Where the last sound batch ends. */
  readonly validBytes: number;
  /** Undefined where the scan reached the end, or was stopped. */
  readonly fault: string | undefined;
}

/**
 * Walks over the batches of a log file. `visit` may answer false to stop. Never throws for what the file
 * holds: the first byte that is not part of a sound batch ends the scan.
 */
export async function scanBatches(
  file: OpenFile,
  options: ScanOptions,
  visit: (found: ScannedBatch) => boolean | undefined,
): Promise<ScanResult> {
  const window = new Window(file, options);
  let position = options.from;
  let previous = -1n;
  try {
    while (position < options.to) {
      const found = await readBatch(window, position, options);
      const { baseOffset, lastOffset, sizeInBytes } = found.header;
      if (baseOffset <= previous || lastOffset < baseOffset)
        return { validBytes: position, fault: `offset ${baseOffset} follows ${previous}` };
      if (visit(found) === false) return { validBytes: position, fault: undefined };
      previous = lastOffset;
      position += sizeInBytes;
    }
    return { validBytes: position, fault: undefined };
  } catch (error) {
    if (!(error instanceof RecordBatchError)) throw error;
    return { validBytes: position, fault: error.message };
  }
}

/**
 * The batches of a log file whole, checksums verified, however large they are. Each is a view that the next one
 * overwrites. Throws a RecordBatchError where it meets damage.
 */
export async function* wholeBatches(
  file: OpenFile,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<RecordBatch, void, undefined> {
  const window = new Window(file, { from, to, depth: 'all' });
  for (let position = from; position < to;) {
    const { header } = await readBatch(window, position, { from, to, depth: 'headers' });
    const { sizeInBytes } = header;
    const batch = { header, position, bytes: await window.view(position, sizeInBytes) };
    verifyBatch(batch);
    yield batch;
    position += sizeInBytes;
  }
}

async function readBatch(
  window: Window,
  position: number,
  { to, depth }: ScanOptions,
): Promise<ScannedBatch> {
  const head = await window.view(position, batchHeaderBytes);
  const size = batchSizeAt(head);
  if (size === undefined || head.length < batchHeaderBytes || size > to - position)
    throw new RecordBatchError('CORRUPT_MESSAGE', 'the last batch is cut off');
  const header = readBatchHeader(head);
  if (depth === 'headers' && !header.isControl) return { header, position, batch: undefined };
  if (size > largestViewBytes) {
    await verifyLargeBatch(window, position, header);
    return { header, position, batch: undefined };
  }
  const batch: RecordBatch = { header, position, bytes: await window.view(position, size) };
  if (depth === 'all') verifyBatch(batch);
  return { header, position, batch };
}

async function verifyLargeBatch(
  window: Window,
  position: number,
  header: BatchHeader,
): Promise<void> {
  const end = position + header.sizeInBytes;
  let checksum = 0;
  for (let at = position + checksummedFrom; at < end; at += largestViewBytes)
    checksum = crc32c(await window.view(at, Math.min(largestViewBytes, end - at)), checksum);
  if (checksum !== header.crc)
    throw new RecordBatchError('CORRUPT_MESSAGE', 'the checksum does not match');
}

/** A stretch of the file in memory that moves along with the scan. */
class Window {
  readonly #file: OpenFile;
  readonly #end: number;
  readonly #chunkBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  #buffer: Buffer | undefined;
  #start = 0;

  constructor(file: OpenFile, { to, chunkBytes = 1 << 20 }: ScanOptions) {
    this.#file = file;
    this.#end = to;
    this.#chunkBytes = chunkBytes;
  }

  /** `length` bytes from `position`, fewer at the end of the file. */
  async view(position: number, length: number): Promise<Buffer> {
    const offset = position - this.#start;
    if (offset < 0 || offset + length > this.#bytes.length) await this.#load(position, length);
    const at = position - this.#start;
    return this.#bytes.subarray(at, at + length);
  }

  async #load(position: number, length: number): Promise<void> {
    const wanted = Math.min(Math.max(length, this.#chunkBytes), this.#end - position);
    if (this.#buffer === undefined || this.#buffer.length < wanted)
      this.#buffer = Buffer.allocUnsafeSlow(wanted);
    const target = this.#buffer.subarray(0, wanted);
    const read = await readFully(this.#file, target, position);
    this.#bytes = target.subarray(0, read);
    this.#start = position;
  }
}
