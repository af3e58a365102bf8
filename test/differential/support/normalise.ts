// Takes out of an answer what no two brokers have in common: ids, times, ports, folders.
import { errorByCode } from '../../../src/protocol/errors.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import { zeroUuid } from '../../../src/protocol/schema.ts';

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const clockSkewMs = 86_400_000;

/** What stands in place of fields by their names. */
const masked: Readonly<Record<string, string>> = {
  throttleTimeMs: '<throttle>',
  port: '<port>',
  clusterId: '<cluster>',
  logDir: '<folder>',
  totalBytes: '<bytes>',
  usableBytes: '<bytes>',
  crc: '<crc>',
  finalizedFeaturesEpoch: '<epoch>',
};

const producerIdFields = new Set(['producerId', 'newProducerId', 'ongoingTxnProducerId']);
const memberIdFields = new Set(['memberId', 'consumerId']);
const topicIdFields = new Set(['topicId']);
const errorFields = new Set(['errorCode', 'partitionErrorCode', 'topicConfigErrorCode']);

/** Of one scenario on one broker: the same id is told by the same name in all of its answers. */
export class Normaliser {
  readonly #aliases = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** An id that the scenario knows is told by this name. */
  name(id: string, alias: string): void {
    this.#aliases.set(id, alias);
  }

  normalise(value: unknown): unknown {
    return this.#value('', value);
  }

  #value(field: string, value: unknown): unknown {
    if (field in masked) return masked[field];
    // The words are our own; whether there are any is compared.
    if (field === 'errorMessage' && typeof value === 'string' && value !== '') return '<words>';
    if (value instanceof Uint8Array) return this.#bytes(field, value);
    if (Array.isArray(value)) return this.#array(field, value);
    if (typeof value === 'object' && value !== null) return this.#struct(value);
    if (typeof value === 'bigint') return this.#int64(field, value);
    if (typeof value === 'number' && errorFields.has(field)) return errorByCode(value).name;
    if (typeof value === 'string') return this.#string(field, value);
    return value;
  }

  #struct(value: object): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, this.#value(name, inner)]),
    );
  }

  /** Structs come in the order of some hash; nodes, assignments and records in one that counts. */
  #array(field: string, items: readonly unknown[]): unknown[] {
    const result = items.map((item) => this.#value(field, item));
    const isStructs = items.every((item) => typeof item === 'object' && item !== null);
    return isStructs ? result.sort(byText) : result;
  }

  #int64(field: string, value: bigint): unknown {
    if (producerIdFields.has(field.split(' of ')[0] ?? '') && value >= 0n)
      return this.#alias('producer', String(value));
    const awayMs = Number(value) - Date.now();
    return Math.abs(awayMs) < clockSkewMs ? '<now>' : value;
  }

  #string(field: string, value: string): string {
    if (memberIdFields.has(field) && /^[\w-]{22}$/.test(value)) return this.#alias('member', value);
    if (topicIdFields.has(field) && value !== zeroUuid) return this.#alias('topic id', value);
    let text = value.replaceAll(uuidPattern, (uuid) => this.#alias('uuid', uuid));
    for (const [id, alias] of this.#aliases) if (id.length > 20) text = text.replaceAll(id, alias);
    return text;
  }

  #alias(kind: string, id: string): string {
    const known = this.#aliases.get(id);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const alias = `<${kind} ${count}>`;
    this.#aliases.set(id, alias);
    return alias;
  }

  #bytes(field: string, value: Uint8Array): unknown {
    if (field !== 'records') return Buffer.from(value).toString('latin1');
    return { batches: [...this.batches(value)] };
  }

  /** Every field of every batch, and its records. */
  *batches(bytes: Uint8Array): Generator<string> {
    for (const batch of batches(bytes)) {
      const records = [...readRecords(batch)].map((record) => ({
        ...record,
        key: record.key?.toString('latin1') ?? null,
        value: record.value?.toString('latin1') ?? null,
        headers: record.headers.map(({ key, value }) => [
          key.toString('latin1'),
          value?.toString('latin1') ?? null,
        ]),
      }));
      // The same records come out in other sizes of other implementations of a codec.
      const isPlain = batch.header.compression === 'none';
      const sizes = isPlain ? {} : { batchLength: '<size>', sizeInBytes: '<size>' };
      yield toText({
        ...this.#struct(batch.header),
        ...sizes,
        records: records.map((r) => this.#struct(r)),
      });
    }
  }
}

const byText = (a: unknown, b: unknown) => (toText(a) < toText(b) ? -1 : 1);

export const toText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
