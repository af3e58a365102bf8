import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import { apis } from '../../../src/protocol/apis.ts';
import { ByteReader } from '../../../src/protocol/byteReader.ts';
import { ByteWriter } from '../../../src/protocol/byteWriter.ts';
import {
  decodeMessage,
  decodeMessageInSteps,
  encodeMessage,
  writeMessageInSteps,
} from '../../../src/protocol/messageCodec.ts';
import type { MessageSchema } from '../../../src/protocol/schema.ts';
import { parseVersions } from '../../../src/protocol/versions.ts';
import { RandomMessages } from '../../support/randomMessage.ts';

const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 2 ** 31);
const damagedCount = 10;

/** What comes of reading: a message and where the reader stands then, or the words of a refusal. */
function outcome(bytes: Buffer, read: (reader: ByteReader) => unknown): unknown {
  const reader = new ByteReader(bytes);
  try {
    return { message: read(reader), position: reader.position };
  } catch (error) {
    return { error: String(error) };
  }
}

function inSteps(schema: MessageSchema, version: number) {
  return (reader: ByteReader): unknown => {
    const steps = decodeMessageInSteps(schema, version, reader);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };
}

function damaged(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes.subarray(0, random.below(bytes.length + 1)));
  if (copy.length > 0) copy[random.below(copy.length)] = random.below(256);
  return copy;
}

describe(`a message read in steps, KAFKA_WORKBENCH_SEED=${seed}`, () => {
  it('is the same as one read at once, of every response and version, or refused in the same words', () => {
    const random = seededRandom(seed);
    const messages = new RandomMessages(random);
    for (const { response: schema } of Object.values(apis)) {
      const { min, max } = parseVersions(schema.versions);
      for (let version = min; version <= max; version++) {
        const whole = encodeMessage(schema, version, messages.message(schema, version));
        const all = [whole, ...Array.from({ length: damagedCount }, () => damaged(whole, random))];
        for (const bytes of all) {
          const atOnce = outcome(bytes, (reader) => decodeMessage(schema, version, reader));
          const what = `${schema.name} v${version} ${bytes.toString('hex')}`;
          assert.deepEqual(outcome(bytes, inSteps(schema, version)), atOnce, what);
        }
      }
    }
  });

  it('is so with lists that take many steps, of requests too, and written as it is at once', () => {
    const random = seededRandom(seed);
    const messages = new RandomMessages(random, 'long');
    let steps = 0;
    for (const api of Object.values(apis))
      for (const schema of [api.request, api.response]) {
        const { max: version } = parseVersions(schema.versions);
        const message = messages.message(schema, version);
        const whole = encodeMessage(schema, version, message);
        const writer = new ByteWriter();
        steps += pausesOf(writeMessageInSteps(writer, schema, version, message));
        assert.ok(writer.takeBuffer().equals(whole), schema.name);
        for (const bytes of [whole, damaged(whole, random), damaged(whole, random)]) {
          const atOnce = outcome(bytes, (reader) => decodeMessage(schema, version, reader));
          assert.deepEqual(outcome(bytes, inSteps(schema, version)), atOnce, schema.name);
        }
      }
    // What is long takes another path than what is short.
    assert.ok(steps > 20, `${steps} steps`);
  });

  it('is written in steps as it is at once', () => {
    const messages = new RandomMessages(seededRandom(seed));
    for (const { response: schema } of Object.values(apis)) {
      const { min, max } = parseVersions(schema.versions);
      for (let version = min; version <= max; version++) {
        const message = messages.message(schema, version);
        const writer = new ByteWriter();
        pausesOf(writeMessageInSteps(writer, schema, version, message));
        const what = `${schema.name} v${version}`;
        assert.deepEqual(writer.takeBuffer(), encodeMessage(schema, version, message), what);
      }
    }
  });

  it('pauses wherever its long list is, and not for each of many short ones', () => {
    const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
    const topic = (name: string, count: number) => ({ name, partitions: numbers(count) });
    const transaction = (transactionalId: string, topics: ReturnType<typeof topic>[]) => ({
      ...{ transactionalId, producerId: 1n, producerEpoch: 0, verifyOnly: false },
      topics,
    });
    const { request } = apis.addPartitionsToTxn;
    const pauses = (transactions: ReturnType<typeof transaction>[]): number[] => {
      const writer = new ByteWriter();
      const written = pausesOf(writeMessageInSteps(writer, request, 5, { transactions }));
      const reader = new ByteReader(writer.takeBuffer());
      return [written, pausesOf(decodeMessageInSteps(request, 5, reader))];
    };
    const short = numbers(640).map((n) => transaction(`${n}`, [topic('t', 3)]));
    for (const count of pauses(short)) assert.ok(count >= 10 && count <= 100, `${count}`);
    const deep = [...short, transaction('long', [topic('a', 1), topic('b', 100_000)])];
    for (const [n, count] of pauses(deep).entries()) {
      assert.ok(count - (pauses(short)[n] ?? 0) >= 90, `${count}`);
    }
  });
});

function pausesOf(steps: Generator<undefined, unknown, undefined>): number {
  let pauses = 0;
  while (steps.next().done !== true) pauses++;
  return pauses;
}
