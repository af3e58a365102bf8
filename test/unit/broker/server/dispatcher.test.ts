import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { Logger } from '../../../../src/base/logger.ts';
import type { Steps } from '../../../../src/base/turns.ts';
import { Session } from '../../../../src/broker/security/session.ts';
import type { BrokerNode } from '../../../../src/broker/brokerNode.ts';
import type { HandlerTable } from '../../../../src/broker/handler.ts';
import { memoryBounds } from '../../../../src/broker/memoryBounds.ts';
import { handlers } from '../../../../src/broker/handlers/index.ts';
import { OpenConnections } from '../../../../src/broker/openConnections.ts';
import { ClosingError, RequestError } from '../../../../src/broker/requestError.ts';
import { Dispatcher } from '../../../../src/broker/server/dispatcher.ts';
import { type Api, type ApiName, apis } from '../../../../src/protocol/apis.ts';
import { versionsOf } from '../../../../src/protocol/apiIndex.ts';
import { errorByCode } from '../../../../src/protocol/errors.ts';
import { decodeResponse, encodeRequest } from '../../../../src/protocol/frames.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const peer = {
  port: 1,
  host: '/127.0.0.1',
  signal: new AbortController().signal,
  session: new Session({ listener: 'PLAINTEXT', sasl: undefined }),
  closeAfterAnswer: () => undefined,
  keepUntilSent: () => undefined,
  cutOff: () => undefined,
  mute: () => undefined,
};

function dispatcher(table: HandlerTable, logged: string[] = []): Dispatcher {
  const log = (message: string): unknown => logged.push(message);
  const logger: Logger = { debug: () => undefined, info: log, warn: log, error: log };
  return new Dispatcher(
    {
      cluster: { logger, clock: new ManualClock() },
      openConnections: new OpenConnections(),
      quotas: { use: () => 0 },
    } as unknown as BrokerNode,
    table,
  );
}

function request(name: ApiName, version: number, correlationId = 5): Buffer {
  const api: Api = apis[name];
  return encodeRequest({ api, version, correlationId, clientId: 'c', body: {} }).subarray(4);
}

const fails = (error: Error) => () => {
  throw error;
};

describe('the dispatcher', () => {
  it('answers with the request’s correlation id, whatever the handler takes', async () => {
    const dispatch = dispatcher({
      describeCluster: {
        versions: [0, 2],
        handle: () => Promise.resolve({ clusterId: 'c', controllerId: 1 }),
      },
    });
    const parts = await dispatch.answer(request('describeCluster', 0, 77), peer);
    const frame = Buffer.concat(parts ?? []);
    assert.equal(frame.readInt32BE(0), frame.length - 4);
    const { correlationId, body } = decodeResponse(apis.describeCluster, 0, frame.subarray(4));
    assert.equal(correlationId, 77);
    assert.equal(body.clusterId, 'c');
  });

  it('ends what only looks where the client has gone, and does what changes something to its end', async () => {
    const gone = new AbortController();
    const done: string[] = [];
    function* work(name: string, steps: number): Steps<Record<string, never>> {
      for (let step = 0; step < steps; step++) yield;
      done.push(name);
      return {};
    }
    const dispatch = dispatcher({
      describeAcls: { versions: [2, 3], handle: () => work('looks', 1e8) },
      createAcls: { versions: [2, 3], handle: (_, { inTurns }) => inTurns(work('changes', 1e5)) },
    });
    const leaving = { ...peer, signal: gone.signal };
    const answers = (['describeAcls', 'createAcls'] as const).map((name) =>
      dispatch.answer(request(name, 3), leaving),
    );
    gone.abort();
    assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
    assert.deepEqual(done, ['changes']);
  });

  it('reads a long report once there is a place for its answer, and not before', async () => {
    const ends: (() => void)[] = [];
    const read: number[] = [];
    const dispatch = dispatcher({
      describeAcls: {
        versions: [2, 3],
        isReport: () => true,
        handle: () => new Promise((resolve) => ends.push(() => resolve({}))),
      },
      describeConfigs: {
        versions: [1, 4],
        isReport: ({ resources }) => read.push(resources.length) > 0,
        handle: () => ({}),
      },
    });
    const { mostAtOnce } = memoryBounds.answers;
    const present = Array.from({ length: mostAtOnce }, () =>
      dispatch.answer(request('describeAcls', 3), peer),
    );
    const resources = Array.from({ length: 1000 }, (_, n) => ({
      resourceType: 2,
      resourceName: `${n}`,
    }));
    const long = encodeRequest<(typeof apis)['describeConfigs']>({
      api: apis.describeConfigs,
      version: 4,
      correlationId: 1,
      clientId: 'c',
      body: { resources },
    });
    const answered = dispatch.answer(long.subarray(4), peer);
    await nextTurn();
    assert.deepEqual(read, []);
    ends.pop()?.();
    assert.ok(await answered);
    assert.deepEqual(read, [1000]);
    for (const end of ends) end();
    await Promise.all(present);
  });

  it('answers nothing where the handler says so', async () => {
    const dispatch = dispatcher({ produce: { versions: [3, 13], handle: () => null } });
    assert.equal(await dispatch.answer(request('produce', 9), peer), undefined);
  });

  it('answers a refused request with its error and its words', async () => {
    const logged: string[] = [];
    const refused = new RequestError('INVALID_REQUEST', 'not so');
    const table = { describeCluster: { versions: [0, 2] as const, handle: fails(refused) } };
    const parts = await dispatcher(table, logged).answer(request('describeCluster', 1), peer);
    const { body } = decodeResponse(
      apis.describeCluster,
      1,
      Buffer.concat(parts ?? []).subarray(4),
    );
    assert.equal(errorByCode(body.errorCode).name, 'INVALID_REQUEST');
    assert.equal(body.errorMessage, 'not so');
    assert.deepEqual(logged, []);
  });

  it('answers UNKNOWN_SERVER_ERROR where a handler fails, and logs where it failed', async () => {
    const logged: string[] = [];
    const table = {
      initProducerId: { versions: [0, 5] as const, handle: fails(new TypeError('oops')) },
    };
    const parts = await dispatcher(table, logged).answer(request('initProducerId', 4), peer);
    const { body } = decodeResponse(apis.initProducerId, 4, Buffer.concat(parts ?? []).subarray(4));
    assert.equal(errorByCode(body.errorCode).name, 'UNKNOWN_SERVER_ERROR');
    assert.match(logged.join(), /InitProducerIdRequest: TypeError: oops\n.*dispatcher\.test\.ts/s);
  });

  it('closes where a handler fails whose response has no place for an error', async () => {
    const logged: string[] = [];
    const table = { metadata: { versions: [0, 13] as const, handle: fails(new Error('oops')) } };
    await assert.rejects(
      dispatcher(table, logged).answer(request('metadata', 9), peer),
      ClosingError,
    );
    assert.match(logged.join(), /oops/);
  });

  it('closes on an API and on versions that it does not serve', async () => {
    const dispatch = dispatcher({ metadata: { versions: [4, 6], handle: () => ({}) } });
    for (const [name, version] of [
      ['produce', 9],
      ['metadata', 3],
      ['metadata', 7],
    ] as const) {
      await assert.rejects(dispatch.answer(request(name, version), peer), ClosingError);
    }
  });
});

describe('the handlers', () => {
  it('serve versions for which there are schemas', () => {
    for (const [name, handler] of Object.entries(handlers)) {
      const { min, max } = versionsOf(apis[name as ApiName]);
      const [first, last] = handler.versions;
      assert.ok(min <= first && first <= last && last <= max, name);
    }
  });
});
