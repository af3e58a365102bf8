import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as v from 'valibot';
import {
  Channel,
  ChannelError,
  type Handlers,
  type Transport,
} from '../../../src/shared/channel.ts';

const host = {
  double: { params: v.object({ n: v.number() }), result: v.object({ n: v.number() }) },
  wait: { params: v.object({}), result: v.object({}) },
  fail: { params: v.object({}), result: v.object({}) },
  lie: { params: v.object({}), result: v.object({ n: v.number() }) },
  note: { params: v.object({ text: v.string() }) },
};
const view = {
  ask: { params: v.object({ question: v.string() }), result: v.string() },
  progress: { params: v.object({ done: v.number() }) },
};

/** One end of a pair of transports that carry JSON, one message a microtask. */
class End implements Transport {
  readonly sent: unknown[] = [];
  readonly #receivers = new Set<(message: unknown) => void>();
  peer?: End;

  send(message: unknown): void {
    const text = JSON.stringify(message);
    this.sent.push(JSON.parse(text));
    queueMicrotask(() => this.peer?.deliver(JSON.parse(text)));
  }

  listen(receive: (message: unknown) => void): () => void {
    this.#receivers.add(receive);
    return () => this.#receivers.delete(receive);
  }

  deliver(message: unknown): void {
    for (const receive of [...this.#receivers]) receive(message);
  }

  get listeners(): number {
    return this.#receivers.size;
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function setup(overrides: Partial<Handlers<typeof host>> = {}) {
  const hostEnd = new End();
  const viewEnd = new End();
  hostEnd.peer = viewEnd;
  viewEnd.peer = hostEnd;
  const invalid: string[] = [];
  const notes: string[] = [];
  const progress: number[] = [];
  const hostChannel = new Channel({
    transport: hostEnd,
    serves: host,
    handlers: {
      double: ({ n }) => ({ n: n * 2 }),
      wait: never,
      fail: () => {
        throw new Error('orders is not there');
      },
      lie: () => ({ n: 'four' }) as never,
      note: ({ text }) => {
        notes.push(text);
      },
      ...overrides,
    },
    calls: view,
    onInvalid: (problem) => invalid.push(`host: ${problem}`),
  });
  const viewChannel = new Channel({
    transport: viewEnd,
    serves: view,
    handlers: {
      ask: ({ question }) => Promise.resolve(`${question}!`),
      progress: ({ done }) => {
        progress.push(done);
      },
    },
    calls: host,
    onInvalid: (problem) => invalid.push(`view: ${problem}`),
  });
  return { hostChannel, viewChannel, hostEnd, viewEnd, invalid, notes, progress };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Channel', () => {
  it('answers calls in both directions, interleaved', async () => {
    const { hostChannel, viewChannel } = setup();
    const answers = await Promise.all([
      viewChannel.call('double', { n: 21 }),
      hostChannel.call('ask', { question: 'really' }),
      viewChannel.call('double', { n: 1 }),
    ]);
    assert.deepEqual(answers, [{ n: 42 }, 'really!', { n: 2 }]);
  });

  it('delivers notifications in order and does not answer them', async () => {
    const { hostChannel, viewChannel, viewEnd, notes, progress } = setup();
    viewChannel.notify('note', { text: 'a' });
    viewChannel.notify('note', { text: 'b' });
    hostChannel.notify('progress', { done: 1 });
    await settle();
    assert.deepEqual(notes, ['a', 'b']);
    assert.deepEqual(progress, [1]);
    assert.equal(viewEnd.sent.length, 2);
  });

  it("rejects with the words of the other side's error", async () => {
    const { viewChannel } = setup();
    await assert.rejects(viewChannel.call('fail', {}), new ChannelError('orders is not there'));
  });

  it('rejects a call whose answer breaks the contract, and says where', async () => {
    const { viewChannel, invalid } = setup();
    await assert.rejects(viewChannel.call('lie', {}), /answer to lie of the wrong shape: n:/);
    assert.equal(invalid.length, 1);
  });

  it('refuses parameters that break the contract without running the handler', async () => {
    const calls: unknown[] = [];
    const { viewChannel, invalid } = setup({
      double: (params) => {
        calls.push(params);
        return params;
      },
    });
    await assert.rejects(
      viewChannel.call('double', { n: 'two' } as never),
      /double of the wrong shape: n: Invalid type/,
    );
    assert.deepEqual(calls, []);
    assert.match(invalid.join(), /^host: double of the wrong shape/);
  });

  it('strips what the contract does not name before the handler sees it', async () => {
    let seen: unknown;
    const { viewChannel } = setup({
      double: (params) => {
        seen = params;
        return params;
      },
    });
    await viewChannel.call('double', { n: 1, extra: true } as never);
    assert.deepEqual(seen, { n: 1 });
  });

  it('aborts the handler and rejects the call when the caller cancels', async () => {
    let signal: AbortSignal | undefined;
    const { viewChannel } = setup({
      wait: (_params, given) => {
        signal = given;
        return never();
      },
    });
    const controller = new AbortController();
    const call = viewChannel.call('wait', {}, controller.signal);
    await settle();
    assert.equal(signal?.aborted, false);
    controller.abort();
    await assert.rejects(call, new ChannelError('cancelled'));
    await settle();
    assert.equal(signal.aborted, true);
  });

  it('sends nothing for a call that was cancelled before it began', async () => {
    const { viewChannel, viewEnd } = setup();
    await assert.rejects(viewChannel.call('wait', {}, AbortSignal.abort()), /cancelled/);
    assert.deepEqual(viewEnd.sent, []);
  });

  it('drops an answer that arrives after the call was cancelled', async () => {
    const { viewChannel, viewEnd, invalid } = setup();
    const controller = new AbortController();
    const call = viewChannel.call('wait', {}, controller.signal);
    controller.abort();
    await assert.rejects(call);
    viewEnd.deliver({ kind: 'answer', id: 1, result: {} });
    assert.deepEqual(invalid, []);
  });

  it('does not send a cancel for a call that was answered', async () => {
    const { viewChannel, viewEnd } = setup();
    const controller = new AbortController();
    await viewChannel.call('double', { n: 1 }, controller.signal);
    controller.abort();
    assert.equal(viewEnd.sent.length, 1);
  });

  it('rejects waiting calls, aborts running handlers and stops listening on dispose', async () => {
    let signal: AbortSignal | undefined;
    const { hostChannel, viewChannel, hostEnd, viewEnd } = setup({
      wait: (_params, given) => {
        signal = given;
        return never();
      },
    });
    const call = viewChannel.call('wait', {});
    await settle();
    hostChannel.dispose();
    assert.equal(signal?.aborted, true);
    viewChannel.dispose();
    viewChannel.dispose();
    await assert.rejects(call, new ChannelError('the channel closed'));
    await assert.rejects(
      viewChannel.call('double', { n: 1 }),
      new ChannelError('the channel is closed'),
    );
    assert.equal(hostEnd.listeners + viewEnd.listeners, 0);
  });

  it('answers nothing after dispose, even where a handler finishes late', async () => {
    let finish: (() => void) | undefined;
    const { hostChannel, viewChannel, hostEnd } = setup({
      wait: () => new Promise((resolve) => (finish = () => resolve({}))),
    });
    const call = viewChannel.call('wait', {});
    await settle();
    hostChannel.dispose();
    finish?.();
    await settle();
    assert.deepEqual(hostEnd.sent, []);
    viewChannel.dispose();
    await assert.rejects(call);
  });

  it('rejects a call that its transport cannot carry and forgets it', async () => {
    const { viewChannel } = setup();
    const call = viewChannel.call('double', { n: 1n } as never);
    await assert.rejects(call, /^ChannelError: double could not be sent: .*BigInt/);
  });

  it('answers in few words a call for a method with a name of a megabyte, which the transport could not send back', async () => {
    const { viewChannel, hostEnd } = setup();
    const call = viewChannel.call('\u0001'.repeat(1 << 20) as 'double', { n: 1 });
    await assert.rejects(call, /^ChannelError: no method/);
    assert.ok(JSON.stringify(hostEnd.sent).length < 100_000);
  });

  it('reports a notification whose handler throws', async () => {
    const { viewChannel, invalid, viewEnd } = setup({
      note: () => {
        throw new Error('no room');
      },
    });
    viewChannel.notify('note', { text: 'a' });
    await settle();
    assert.deepEqual(invalid, ['host: note failed: no room']);
    assert.equal(viewEnd.sent.length, 1);
  });

  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'nothing', '']) {
    it(`has no method ${name || '(empty)'}`, async () => {
      const { viewChannel, invalid } = setup();
      const call = viewChannel.call(name as 'double', { n: 1 });
      await assert.rejects(call, new ChannelError(`no method ${name}`));
      assert.deepEqual(invalid, [`host: no method ${name}`]);
    });
  }

  const hostile: unknown[] = [
    null,
    undefined,
    7,
    'call',
    [],
    {},
    { kind: 'constructor' },
    { kind: '__proto__', id: 1 },
    { kind: 'call' },
    { kind: 'call', id: '1', method: 'double', params: { n: 1 } },
    { kind: 'call', id: 1, method: ['double'], params: { n: 1 } },
    { kind: 'answer' },
    { kind: 'error', id: 1, message: { toString: 1 } },
    { kind: 'cancel', id: {} },
    { type: 'webpackOk' },
  ];
  for (const message of hostile) {
    it(`drops ${JSON.stringify(message)} and goes on`, async () => {
      const { viewChannel, hostEnd, invalid } = setup();
      hostEnd.deliver(message);
      await settle();
      assert.deepEqual(invalid, ['host: a message that is not of this channel']);
      assert.deepEqual(hostEnd.sent, []);
      assert.deepEqual(await viewChannel.call('double', { n: 2 }), { n: 4 });
    });
  }

  it('ignores answers, errors and cancels of calls that it does not know', async () => {
    const { viewChannel, viewEnd, hostEnd, invalid } = setup();
    viewEnd.deliver({ kind: 'answer', id: 99, result: {} });
    viewEnd.deliver({ kind: 'error', id: -1, message: 'x' });
    hostEnd.deliver({ kind: 'cancel', id: 1.5 });
    assert.deepEqual(invalid, []);
    assert.deepEqual(await viewChannel.call('double', { n: 2 }), { n: 4 });
  });

  it('refuses parameters that are a prototype, not an object of the contract', async () => {
    const { hostEnd, invalid } = setup();
    hostEnd.deliver({
      kind: 'call',
      id: 1,
      method: 'double',
      params: JSON.parse('{"__proto__":{"n":1}}') as unknown,
    });
    await settle();
    assert.match(invalid.join(), /double of the wrong shape: n/);
    assert.equal((hostEnd.sent[0] as { kind: string }).kind, 'error');
  });
});
