// A Kafka Streams application with exactly_once_v2 counts words while its broker and itself are killed again and
// again: every word's counts are 1, 2, 3 ... without one missing or twice.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { type EmbeddedBroker, startEmbedded } from '../../support/embedded.ts';
import { kafkaHome } from '../../support/kafka/home.ts';
import { javaArguments } from '../../support/kafka/java.ts';
import { streamsJars } from '../../support/kafka/streamsHome.ts';
import { freePorts, run, spawnOwned, stopProcess } from '../../support/process.ts';

const KILLS = Number(process.env['KILLS'] ?? 10);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const [INPUT, OUTPUT] = ['lines', 'counts'];
const WORDS = ['the', 'quick', 'brown', 'fox', 'jumps', 'over', 'a', 'lazy', 'dog'];
const LINES_A_ROUND = 300;
const WORDS_A_LINE = 5;
const SETTLE_LIMIT_MS = 180_000;

describe(`a Streams word count over ${KILLS} kills, seed ${SEED}`, function () {
  this.timeout(SETTLE_LIMIT_MS + KILLS * 60_000);
  const random = seededRandom(SEED);
  const kills = { broker: 0, application: 0 };
  let folder: string;
  let port: number;
  let broker: EmbeddedBroker;
  let application: ChildProcess;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'streams-'));
    [port = 0] = await freePorts(1);
    broker = await startBroker();
    const client = new KafkaClient({ bootstrap: [broker.bootstrap] });
    for (const name of [INPUT, OUTPUT])
      await createTopic(client, { name, partitionCount: 2, replicationFactor: 1 });
    client.dispose();
    application = await startApplication();
  });

  after(async () => {
    await stopProcess(application, 0);
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const startBroker = (): Promise<EmbeddedBroker> =>
    startEmbedded({ port, dataDir: path.join(folder, 'data') });

  async function startApplication(): Promise<ChildProcess> {
    const source = path.join(import.meta.dirname, '../../support/java/WordCount.java');
    const java = javaArguments(await kafkaHome(), source, { classPath: await streamsJars() });
    const args = [broker.bootstrap, 'word-count', path.join(folder, 'state'), INPUT, OUTPUT];
    return spawnOwned('java', [...java, ...args], { stdio: ['pipe', 'ignore', 'ignore'] });
  }

  it('[A4] [A6] has every count exactly once (embedded)', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await produceLines();
      await sleep(random.below(6000));
      if (random.below(2) === 0) {
        kills.broker++;
        await broker.kill9();
        broker = await startBroker();
      } else {
        kills.application++;
        const gone = once(application, 'exit');
        application.kill('SIGKILL');
        await gone;
        application = await startApplication();
      }
    }
    await produceLines();
    const expected = tally((await read(INPUT)).flatMap(({ value }) => value.split(' ')));
    const counts = await settled([...expected.values()].reduce((sum, count) => sum + count, 0));
    for (const [word, count] of expected) {
      const seen = counts.filter(({ key }) => key === word).map(({ value }) => Number(value));
      const all = Array.from({ length: count }, (_, n) => n + 1);
      assert.deepEqual(seen, all, `the counts of "${word}"`);
    }
    const words = [...expected.values()].reduce((sum, count) => sum + count, 0);
    const { broker: brokers, application: applications } = kills;
    console.log(
      `      ${words} words; killed the broker ${brokers} and the application ${applications} times`,
    );
  });

  async function produceLines(): Promise<void> {
    const lines = Array.from({ length: LINES_A_ROUND }, () =>
      Array.from({ length: WORDS_A_LINE }, () => WORDS[random.below(WORDS.length)]).join(' '),
    );
    const args = ['-P', '-b', broker.bootstrap, '-t', INPUT, '-X', 'enable.idempotence=true'];
    const { code, stderr } = await run('kcat', args, { input: `${lines.join('\n')}\n` });
    assert.equal(code, 0, stderr);
  }

  /** The counts once there are as many as there should be, or the time is up. */
  async function settled(count: number): Promise<{ key: string; value: string }[]> {
    const deadline = Date.now() + SETTLE_LIMIT_MS;
    for (;;) {
      const counts = await read(OUTPUT);
      if (counts.length >= count || Date.now() > deadline) {
        // What would be too much may come a moment later.
        await sleep(3000);
        return read(OUTPUT);
      }
      await sleep(1000);
    }
  }

  async function read(topic: string): Promise<{ key: string; value: string }[]> {
    const args = ['-C', '-b', broker.bootstrap, '-t', topic, '-o', 'beginning', '-e', '-q'];
    const options = ['-X', 'isolation.level=read_committed', '-f', '%k\t%s\n'];
    const { code, stdout, stderr } = await run('kcat', [...args, ...options]);
    assert.equal(code, 0, stderr);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [key = '', value = ''] = line.split('\t');
        return { key, value };
      });
  }
});

function tally(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
