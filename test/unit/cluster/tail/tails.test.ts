import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { defaultDecoders } from '../../../../src/shared/contracts/decoders.ts';
import { plaintext } from '../../../../src/client/security.ts';
import { type Tail, Tails } from '../../../../src/cluster/tail/tails.ts';
import { TailSlot } from '../../../../src/cluster/tail/tailSlot.ts';
import type { TailProgress } from '../../../../src/shared/contracts/tailProgress.ts';
import { defaultTailScope } from '../../../../src/shared/contracts/tailQuery.ts';

const files = {
  workerPath: path.join(import.meta.dirname, 'fixtures/unwellWorker.ts'),
  quickjsWasmPath: '',
};

describe('the worker of the tails', () => {
  let tails: Tails | undefined;
  afterEach(() => tails?.dispose());

  const open = (topic: string): Promise<Tail> => {
    tails ??= new Tails({ files, answerWithinMs: 4000 });
    const connection = { name: 'none', bootstrap: [], security: plaintext };
    const what = {
      topic,
      partitions: [0],
      from: 'latest',
      scope: defaultTailScope,
      filter: '',
      decoders: defaultDecoders,
    };
    return tails.open({ connection, ...what, session: 1 });
  };
  const failure = (tail: Tail): Promise<TailProgress> =>
    new Promise((resolve) =>
      tail.onDidProgress((progress) => {
        if (progress.state === 'failed') resolve(progress);
      }),
    );

  afterEach(() => (tails = undefined));

  it('starts with the first tail, is shared by all, and ends with the last [D3]', async () => {
    const first = await open('well');
    const second = await open('well');
    assert.equal((await first.rows(0, 1)).first, 2);
    first.dispose();
    assert.equal(tails?.isRunning, true);
    second.dispose();
    assert.equal(tails.isRunning, false);
    const third = await open('well');
    assert.equal((await third.rows(0, 1)).first, 1);
  });

  for (const [topic, reason] of [
    ['crashes', /stopped: out of luck/],
    ['exits', /stopped: it ended with code 3/],
    ['hangs', /stopped: it has not answered for 8 seconds/],
  ] as const) {
    it(`${topic}: every tail says so and how to go on, and the next starts another [D3]`, async () => {
      const bystander = await open('well');
      // The answer to what ends the worker may still come, or not.
      const [lost] = await Promise.all([failure(bystander), open(topic).catch(() => undefined)]);
      assert.match(lost.error?.message ?? '', reason);
      assert.match(lost.error?.hint ?? '', /Start again/);
      await assert.rejects(bystander.rows(0, 1));
      assert.equal((await (await open('well')).rows(0, 1)).first, 1);
    });
  }

  describe('in a panel', () => {
    const what = (topic: string, filter = '') => ({
      connection: { name: 'none', bootstrap: [], security: plaintext },
      topic,
      partitions: [0],
      from: 'latest',
      scope: defaultTailScope,
      filter,
      decoders: defaultDecoders,
    });
    const slotOf = (all: Tails): TailSlot => new TailSlot((tails = all), () => undefined);
    const begin = (slot: TailSlot, topic: string): Promise<boolean> =>
      slot.begin(() => Promise.resolve(what(topic)));

    it('a seek that fails leaves the one under way as it is; one that begins takes its place [D2]', async () => {
      const all = new Tails({ files });
      const slot = slotOf(all);
      assert.equal(await begin(slot, 'well'), true);
      const first = slot.tail ?? assert.fail();
      await assert.rejects(begin(slot, 'refused'));
      assert.equal(slot.tail, first);
      assert.equal((await first.rows(0, 1)).first, 2);
      const overtaken = begin(slot, 'well');
      assert.equal(await begin(slot, 'well'), true);
      assert.equal(await overtaken, false);
      assert.notEqual(slot.tail, first);
      slot.dispose();
      assert.equal(all.isRunning, false);
    });

    it('a change that is asked for during a seek is made to what the seek begins [D2] [D4]', async () => {
      const slot = slotOf(new Tails({ files }));
      await begin(slot, 'well');
      const first = slot.tail;
      const seek = begin(slot, 'well');
      let changed: Tail | undefined;
      await slot.change(async () => {
        await slot.setFilter('text', 'matched');
        changed = slot.tail;
      });
      assert.equal(await seek, true);
      assert.equal(changed, slot.tail);
      assert.notEqual(changed, first);
    });

    it('a change that is asked for during a seek that fails is made to the one under way', async () => {
      const slot = slotOf(new Tails({ files }));
      await begin(slot, 'well');
      const first = slot.tail ?? assert.fail();
      const seek = begin(slot, 'refused');
      let changed: Tail | undefined;
      const change = slot.change(() => {
        changed = slot.tail;
        return Promise.resolve();
      });
      await assert.rejects(seek);
      await change;
      assert.equal(changed, first);
    });

    it('a seek takes over the filter that was set just before, and is not kept by one that is wrong [D2] [D4]', async () => {
      const slot = slotOf(new Tails({ files }));
      await begin(slot, 'well');
      let filter = '';
      const wrong = slot.change(() => Promise.reject(new Error('no such function')));
      const change = slot.change(async () => {
        await slot.setFilter('text', 'matched');
        filter = 'text';
      });
      let asked: string | undefined;
      const seek = slot.begin(() => Promise.resolve(what('well', (asked = filter))));
      await assert.rejects(wrong, /no such function/);
      await change;
      assert.equal(await seek, true);
      assert.equal(asked, 'text');
    });

    it('a change after the panel was closed changes nothing', async () => {
      const all = new Tails({ files });
      const slot = slotOf(all);
      const seek = begin(slot, 'well');
      const change = slot.change(() => slot.setFilter('text', 'matched'));
      slot.dispose();
      assert.equal(await seek, false);
      await change;
      assert.equal(all.isRunning, false);
    });
  });

  it('passes on why a tail cannot begin, and ends with it if it was the only one', async () => {
    await assert.rejects(open('refused'), { message: 'no such topic', hint: 'Choose.' });
    assert.equal(tails?.isRunning, false);
  });

  it('says plainly that it cannot be started', async () => {
    tails = new Tails({ files: { ...files, workerPath: '/nowhere/worker.js' } });
    await assert.rejects(open('well'), /this editor could not start it: .*nowhere/);
    assert.equal(tails.isRunning, false);
  });
});
