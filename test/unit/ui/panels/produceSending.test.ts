import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ManyProgress, ManyResult } from '../../../../src/shared/contracts/produce.ts';
import { ManySending, type Sending } from '../../../../src/ui/panels/produceSending.ts';

const result: ManyResult = { sent: 2, skipped: 0, cancelled: false };

describe('What a produce panel has under way of many records', () => {
  let told: ManyProgress[];
  let takenOver: Sending[];
  let sending: ManySending;

  beforeEach(() => {
    told = [];
    takenOver = [];
    sending = new ManySending({
      tellPage: (progress) => told.push(progress),
      takeOver: (running) => takenOver.push(running),
    });
  });

  it('is told to the page while there is one', async () => {
    const progress = { sent: 1, total: 2, perSecond: 10 };
    const end = await sending.start('orders', async ({ onProgress }) => {
      await Promise.resolve();
      onProgress(progress);
      return result;
    });
    assert.deepEqual([end, told, takenOver], [result, [progress], []]);
  });

  it('is handed over where the panel is closed meanwhile [E2]', async () => {
    const finish = Promise.withResolvers<ManyResult>();
    const end = sending.start('orders', () => finish.promise);
    sending.dispose();
    assert.deepEqual(
      takenOver.map(({ topic }) => topic),
      ['orders'],
    );
    finish.resolve(result);
    assert.deepEqual(await end, result);
  });

  it('is handed over too where the file is chosen after the panel was closed: it is not sent unseen [E2]', async () => {
    sending.dispose();
    const end = await sending.start('orders', () => Promise.resolve(result));
    const ends = await Promise.all(takenOver.map((each) => each.end));
    assert.deepEqual([end, ends], [result, [result]]);
  });
});
