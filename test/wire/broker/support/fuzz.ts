// Requests that are well formed and make no sense, or only nearly: with names, ids and numbers that hit something.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '../../../../src/base/random.ts';
import { handlers } from '../../../../src/broker/handlers/index.ts';
import { launchCluster } from '../../../../src/broker/launch.ts';
import { type Api, type ApiName, apis } from '../../../../src/protocol/apis.ts';
import { encodeRequest } from '../../../../src/protocol/frames.ts';
import { zeroUuid } from '../../../../src/protocol/schema.ts';
import { RandomMessages } from '../../../support/randomMessage.ts';
import { RawClient } from './rawClient.ts';
import { batchOf } from './servers.ts';

interface FuzzedRequest {
  readonly api: ApiName;
  readonly version: number;
  readonly frame: Buffer;
}

const names = ['fuzzed', 'fuzzed', 'other', '__consumer_offsets', '__transaction_state', ''];

/** Every API in every version once, in a random order. */
export function fuzzedRequests(seed: number, topicId: string): FuzzedRequest[] {
  const random = seededRandom(seed);
  const messages = new RandomMessages(random);
  const all = (Object.keys(handlers) as ApiName[]).flatMap((name) => {
    const [min, max] = handlers[name]?.versions ?? [0, -1];
    return Array.from({ length: max - min + 1 }, (_, n) => ({ name, version: min + n }));
  });
  const order = all.map((each) => ({ each, at: random.below(2 ** 30) }));
  order.sort((left, right) => left.at - right.at);
  return order.map(({ each: { name, version } }) => {
    const api: Api = apis[name];
    const body = sensible(messages.message(api.request, version), random, topicId);
    const clientId = 'fuzz';
    const whole = encodeRequest({ api, version, correlationId: 1, clientId, body: body as object });
    return { api: name, version, frame: damaged(whole, random) };
  });
}

/** The same message with some of its values replaced by such as mean something. */
function sensible(value: unknown, random: Random, topicId: string): unknown {
  const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T;
  const isKept = random.below(4) === 0;
  if (Array.isArray(value)) return value.map((item) => sensible(item, random, topicId));
  if (value instanceof Uint8Array) return isKept ? value : batchOf(['x', 'y']);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, sensible(item, random, topicId)]),
    );
  }
  if (isKept) return value;
  if (typeof value === 'number') return pick([-2, -1, 0, 0, 1, 2]);
  if (typeof value === 'bigint') return pick([-2n, -1n, 0n, 0n, 1n, 2n]);
  if (typeof value !== 'string') return value;
  return /^[\w-]{22}$/.test(value) ? topicId : pick(names);
}

/** One in four has a byte turned; one in eight lacks its end. */
function damaged(whole: Buffer, random: Random): Buffer {
  const chance = random.below(8);
  if (chance < 2) whole[8 + random.below(whole.length - 8)] = random.below(256);
  if (chance !== 2) return whole;
  const cut = whole.subarray(0, 8 + random.below(whole.length - 8));
  cut.writeInt32BE(cut.length - 4);
  return cut;
}

/** What the broker may say of such requests: that they are such. */
const unexpected = /TypeError|RangeError|AssertionError|ENOENT|\n\s+at /;
const maxHeapBytes = 500 << 20;

/** Fuzzes a broker of its own, round after round; fails with the seed that brings the failure back. */
export async function fuzzBroker(
  limit: { readonly rounds: number } | { readonly seconds: number },
): Promise<void> {
  const first = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 1_000_000_000);
  console.log(`      seed ${first}`);
  const logged: string[] = [];
  const log = (message: string): unknown => logged.push(message);
  const logger = { debug: () => undefined, info: () => undefined, warn: log, error: log };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'fuzz-'));
  const launched = await launchCluster({
    dataDir,
    port: 0,
    version: 'test',
    configs: {},
    logger,
    onStopRequest: () => undefined,
  });
  const end = 'seconds' in limit ? Date.now() + limit.seconds * 1000 : Infinity;
  const rounds = 'rounds' in limit ? limit.rounds : Infinity;
  for (let round = 0; round < rounds && Date.now() < end; round++) {
    const seed = first + round;
    logged.length = 0;
    await fuzzOnce(launched.cluster.bootstrap, seed);
    assert.deepEqual(logged.filter((line) => unexpected.test(line)), [], `seed ${seed}`); // prettier-ignore
    const { heapUsed } = process.memoryUsage();
    assert.ok(heapUsed < maxHeapBytes, `${heapUsed} bytes of heap after seed ${seed}`);
  }
  await launched.stop('the test is over');
  await rm(dataDir, { recursive: true });
}

async function fuzzOnce(bootstrap: string, seed: number): Promise<void> {
  const healthy = await RawClient.open(bootstrap);
  // It may be there already: the requests of the round before may also have deleted it.
  const topics = [{ name: 'fuzzed', numPartitions: 2, replicationFactor: 1 }];
  await healthy.call('createTopics', 7, { topics });
  const metadata = await healthy.call('metadata', 12, { topics: [{ name: 'fuzzed' }] });
  const requests = fuzzedRequests(seed, metadata.topics[0]?.topicId ?? zeroUuid);
  await Promise.all(
    requests.map(async ({ frame }) => {
      const client = await RawClient.open(bootstrap);
      client.write(frame);
      // Some wait as long as they say: for members, for records.
      await Promise.race([client.nextFrame(), sleep(200)]);
      client.close();
    }),
  );
  const { errorCode } = await healthy.call('apiVersions', 0, {});
  assert.equal(errorCode, 0, `seed ${seed}`);
  healthy.close();
}
