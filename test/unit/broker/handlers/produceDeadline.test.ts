import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { inTurns } from '../../../../src/base/turns.ts';
import type { RequestContext, RequestOf } from '../../../../src/broker/handler.ts';
import { produce } from '../../../../src/broker/handlers/produce.ts';
import { errorCodes } from '../../../../src/protocol/errors.ts';
import { RecordBatchBuilder } from '../../../../src/protocol/records/recordBatchBuilder.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const timeoutMs = 1000;
/** More than are written to at the same time. */
const count = 600;

/** A partition whose replicas never follow. */
const stuck = {
  append: () => Promise.resolve({ baseOffset: 0n, lastOffset: 0n, logStartOffset: 0n }),
  whenCommitted: () => new Promise<void>(() => undefined),
  hasEnoughInSync: true,
  log: { highWatermark: 0n, logStartOffset: 0n },
};

const inImage = Array.from({ length: count }, () => ({}));

describe('A Produce of many partitions whose replicas do not follow', () => {
  it('[A3] is answered once its time is up, and not once for each that waited its turn', async () => {
    const clock = new ManualClock();
    const context = {
      apiVersion: 9,
      access: { may: () => true },
      inTurns,
      quotaClient: {},
      throttle: () => undefined,
      node: {
        cluster: { clock },
        image: { topic: () => ({ partitions: inImage }) },
        partition: () => stuck,
        quotas: { use: () => 0 },
      },
    } as unknown as RequestContext;
    const batch = new RecordBatchBuilder();
    batch.add({ value: Buffer.from('a') });
    const records = batch.build();
    const request = {
      acks: -1,
      timeoutMs,
      transactionalId: null,
      topicData: [
        {
          name: 'a',
          topicId: 'AAAAAAAAAAAAAAAAAAAAAA',
          partitionData: Array.from({ length: count }, (_, index) => ({ index, records })),
        },
      ],
    } as unknown as RequestOf<'produce'>;
    const answered = Promise.resolve(produce.handle(request, context));
    const ended = { is: false };
    const end = (): void => void (ended.is = true);
    answered.then(end, end);
    for (let n = 0; n < 100; n++) await nextTurn();
    clock.advance(timeoutMs);
    for (let n = 0; n < 10_000 && !ended.is; n++) {
      await nextTurn();
      clock.advance(0);
    }
    assert.ok(ended.is);
    const answer = (await answered) as {
      responses: readonly { partitionResponses: readonly { errorCode: number }[] }[];
    };
    const partitions = answer.responses[0]?.partitionResponses ?? [];
    assert.equal(partitions.length, count);
    assert.ok(partitions.every(({ errorCode }) => errorCode === errorCodes.REQUEST_TIMED_OUT));
  });
});
