// Our codecs against Kafka's own classes, byte for byte, for every message and version.
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { ByteReader } from '../../../src/protocol/byteReader.ts';
import { decodeMessage, encodeMessage } from '../../../src/protocol/messageCodec.ts';
import { parseVersions } from '../../../src/protocol/versions.ts';
import { runJavaProgram } from '../../support/kafka/javaPrograms.ts';
import { type MessageClass, messageClasses } from '../../support/kafka/messageClasses.ts';
import { RandomMessages } from '../../support/randomMessage.ts';

const messagesPerVersion = 8;
const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 2 ** 31);

interface Job {
  readonly message: MessageClass;
  readonly version: number;
  /** What we encoded, for Kafka to decode and encode again; without it Kafka makes a message. */
  readonly ours?: Buffer;
  answer: Buffer | string;
}

function makeJobs(): Job[] {
  const random = new RandomMessages(seededRandom(seed));
  const jobs: Job[] = [];
  for (const message of messageClasses()) {
    const { min, max } = parseVersions(message.schema.versions);
    for (let version = min; version <= max; version++) {
      for (let count = 0; count < messagesPerVersion; count++) {
        const value = random.message(message.schema, version);
        const ours = encodeMessage(message.schema, version, value);
        jobs.push({ message, version, ours, answer: 'none' }, { message, version, answer: 'none' });
      }
    }
  }
  return jobs;
}

function toInput(jobs: readonly Job[]): Buffer {
  return Buffer.concat(
    jobs.flatMap(({ message, version, ours }, index) => {
      const className = Buffer.from(message.className);
      const head = Buffer.alloc(5);
      head.write(ours === undefined ? 'g' : 'e');
      head.writeInt32BE(className.length, 1);
      const versionBytes = Buffer.alloc(2);
      versionBytes.writeInt16BE(version);
      const tail = Buffer.alloc(ours === undefined ? 8 : 4);
      if (ours === undefined) tail.writeBigInt64BE(BigInt(seed) * 1_000_003n + BigInt(index));
      else tail.writeInt32BE(ours.length);
      return [head, className, versionBytes, tail, ours ?? Buffer.alloc(0)];
    }),
  );
}

function readAnswers(jobs: readonly Job[], output: Buffer): void {
  const reader = new ByteReader(output);
  for (const job of jobs) {
    const length = reader.readInt32();
    const bytes = reader.readBytes(Math.abs(length));
    job.answer = length < 0 ? bytes.toString() : bytes;
  }
  assert.equal(reader.remaining, 0);
}

function hexOf(answer: Buffer | string): string {
  return typeof answer === 'string' ? answer : answer.toString('hex');
}

function decodeAndEncode({ message: { schema }, version, answer }: Job): string {
  if (typeof answer === 'string') return `Kafka could not make a message: ${answer}`;
  const reader = new ByteReader(answer);
  const decoded = decodeMessage(schema, version, reader);
  assert.equal(reader.remaining, 0, `bytes left after ${schema.name} v${version}`);
  return encodeMessage(schema, version, decoded).toString('hex');
}

describe(`our messages and Kafka's, KAFKA_WORKBENCH_SEED=${seed}`, function () {
  this.timeout(600_000); // the first run fetches Kafka
  const jobs = makeJobs();

  before(async () => {
    readAnswers(jobs, await runJavaProgram('MessageConformance', toInput(jobs)));
  });

  for (const { schema } of messageClasses()) {
    it(`${schema.name}: Kafka reads what we write`, () => {
      const mine = jobs.filter(({ message, ours }) => message.schema === schema && ours);
      assert.ok(mine.length >= messagesPerVersion);
      for (const { version, ours = Buffer.of(), answer } of mine) {
        assert.equal(hexOf(answer), hexOf(ours), `version ${version}`);
      }
    });

    it(`${schema.name}: we read what Kafka writes`, () => {
      const mine = jobs.filter(({ message, ours }) => message.schema === schema && !ours);
      assert.ok(mine.length >= messagesPerVersion);
      for (const job of mine) {
        assert.equal(decodeAndEncode(job), hexOf(job.answer), `version ${job.version}`);
      }
    });
  }
});
