// kill -9 again and again, at moments that a seed chooses: what was acknowledged is there, and whole.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { commitGroupOffsets, fetchGroupOffsets } from '../../../src/client/admin/groupOffsets.ts';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { produce } from '../../../src/client/produce.ts';
import { startEmbedded } from '../../support/embedded.ts';
import { run } from '../../support/process.ts';

const KILLS = Number(process.env['KILLS'] ?? 50);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const [TOPIC, GROUP] = ['ledger', 'auditors'];
const WRITERS = 8;
const MAX_LIFE_MS = 400;

/** Small and seeded (mulberry32), so that a run can be run again. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe(`${KILLS} kills, seed ${SEED}`, function () {
  this.timeout(KILLS * 30_000);
  const random = randomFrom(SEED);
  const acknowledged = new Map<string, string>();
  let committed = -1n;
  let sent = 0;
  let dataDir: string;

  before(async () => (dataDir = await mkdtemp(path.join(tmpdir(), 'kill-'))));
  after(() => rm(dataDir, { recursive: true }));

  it('[A4] lose no acknowledged record and no commit (embedded)', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const broker = await startEmbedded({ dataDir });
      const client = new KafkaClient({ bootstrap: [broker.bootstrap] });
      if (kill === 0)
        await createTopic(client, { name: TOPIC, partitionCount: 1, replicationFactor: 1 });
      await check(client, broker.bootstrap);
      const stop = new AbortController();
      const work = [
        ...Array.from({ length: WRITERS }, () => write(client, stop.signal)),
        commit(client, stop.signal),
      ];
      await sleep(random() * MAX_LIFE_MS);
      await broker.kill9();
      stop.abort();
      await Promise.all(work);
      client.dispose();
    }
    const broker = await startEmbedded({ dataDir });
    const client = new KafkaClient({ bootstrap: [broker.bootstrap] });
    await check(client, broker.bootstrap);
    client.dispose();
    await broker.stop();
    console.log(`      ${acknowledged.size} of ${sent} records were acknowledged`);
    assert.ok(acknowledged.size > KILLS, 'hardly anything was written');
  });

  async function write(client: KafkaClient, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const value = `${sent++}:${'x'.repeat(Math.floor(random() * 2000))}`;
      const record = { topic: TOPIC, partition: 0, key: null, value: Buffer.from(value) };
      try {
        const { offset } = await produce(client, { ...record, headers: [] }, { signal });
        acknowledged.set(String(offset), value);
      } catch {
        return; // killed: whether it is there is not known, and not asked
      }
    }
  }

  async function commit(client: KafkaClient, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const offset = BigInt(acknowledged.size);
      const position = { topic: TOPIC, partition: 0, offset, leaderEpoch: -1, metadata: '' };
      try {
        const outcomes = await commitGroupOffsets(client, GROUP, [position], { signal });
        const outcome = outcomes.get(TOPIC, 0);
        if (outcome && 'value' in outcome) committed = offset;
      } catch {
        return;
      }
    }
  }

  async function check(client: KafkaClient, bootstrap: string): Promise<void> {
    const args = ['-C', '-b', bootstrap, '-t', TOPIC, '-p', '0', '-o', 'beginning', '-e', '-q'];
    const { code, stdout, stderr } = await run('kcat', [...args, '-f', '%o %s\n']);
    assert.equal(code, 0, stderr);
    const found = new Map<string, string>();
    for (const line of stdout.split('\n').filter(Boolean)) {
      const space = line.indexOf(' ');
      found.set(line.slice(0, space), line.slice(space + 1));
    }
    for (const [offset, value] of acknowledged)
      assert.equal(found.get(offset), value, `offset ${offset} of ${found.size}`);
    if (committed < 0n) return;
    const outcome = (await fetchGroupOffsets(client, [GROUP])).get(GROUP);
    assert.ok(outcome && 'value' in outcome);
    const offset = outcome.value.get(TOPIC, 0);
    assert.ok(offset && 'value' in offset);
    // A later one may have been written and not acknowledged.
    assert.ok(offset.value.offset >= committed, `${offset.value.offset} < ${committed}`);
  }
});
