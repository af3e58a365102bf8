import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { picksIn } from '../../../../src/cluster/tail/tailScriptPicks.ts';
import { portTransport } from '../../../../src/cluster/tail/tailPort.ts';
import { writeScriptRecords } from '../../../../src/cluster/tail/tailScriptRecords.ts';
import { serveScript } from '../../../../src/cluster/tail/tailScriptRunner.ts';
import { Channel } from '../../../../src/shared/channel.ts';
import { fieldsNamedIn, tailScript } from '../../../../src/shared/contracts/tailScript.ts';

const wasm = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));

const payloads = [
  '{"a":1,"b":"x"}',
  '{"a":-0}',
  '{"a":1e999}',
  '{"a":[1e999,-0],"b":{"c":-0.5}}',
  '{"a":9007199254740993}',
  '{"a":1.5e-7,"b":null}',
  '{"a":null,"b":"Zürich 🐘 \\ud800 \\u0000 \\\\"}',
  '{"a":"","a":"second"}',
  '{"a":{"__proto__":{"b":1},"toJSON":"t"},"b":[1,[2,{"c":"d"}]]}',
  '{"b":true}',
  '{}',
  '{"a":1',
  '[1,2,3]',
  '{"a":{"a":{"a":"deep"}}}',
  'a text',
  '',
];

const ofNamedProperties = [
  'value.a === 1',
  'value?.a?.a',
  '1 / value.a === -Infinity',
  'value.a === Infinity',
  'value . b + value.a',
  'JSON.stringify([value.a, value.b]).length > 12',
  'value.b.length === value.a',
  'value.a.a.a === "deep" || value.b[1]',
  'Object.is(value.b?.c, -0.5) || value.a?.[0] === Infinity',
  '(value.a = 3) && value.a === 3',
  'value.a.endsWith("d")',
  'key.a === "key" && headers.length === 1 && offset > 2 && timestamp > 1n && value.a',
];

const wholly = [
  'value',
  'value === "x"',
  'value["a"] === 1',
  'value.a && [value].length',
  'value.hasOwnProperty("a")',
  'value.a && eval("val" + "ue")',
  'value.a && v\\u0061lue',
  'value.__proto__',
  'Object.keys(value).length',
  '({ value }).value.a',
];

const text = (value: string): Buffer => Buffer.from(value);

const records = payloads.map((payload, i) => ({
  partition: 0,
  record: {
    offset: BigInt(i),
    timestamp: 2n ** 60n,
    key: i % 2 === 0 ? text('{"a":"key"}') : null,
    value: text(payload),
    headers: [{ key: text('h'), value: text('1') }],
  },
}));

describe('what an expression gets of a payload', () => {
  let channel: Channel<Record<string, never>, typeof tailScript>;
  before(async () => {
    const [here, there] = [new EventEmitter(), new EventEmitter()];
    const port = (to: EventEmitter, from: EventEmitter) =>
      portTransport(Object.assign(from, { postMessage: (m: unknown) => to.emit('message', m) }));
    await serveScript(port(here, there), wasm);
    channel = new Channel({
      transport: port(there, here),
      serves: {},
      handlers: {},
      calls: tailScript,
      onInvalid: (problem) => assert.fail(problem),
    });
  });
  after(() => channel.dispose());

  async function judged(source: string): Promise<unknown[]> {
    const { problem } = await channel.call('compile', { source });
    assert.equal(problem, undefined, source);
    const written = writeScriptRecords(records, fieldsNamedIn(source), {
      decoders: {},
      picks: picksIn(source),
    });
    const { verdicts } = await channel.call('judge', written);
    return JSON.parse(verdicts) as unknown[];
  }

  for (const expression of ofNamedProperties) {
    it(`“${expression}” says the same of named properties as of the whole [D4]`, async () => {
      assert.ok(picksIn(expression).value?.includes('a'));
      const whole = `(value, key, ${expression})`;
      assert.deepEqual(picksIn(whole), {});
      const verdicts = await judged(expression);
      assert.equal(verdicts.length, payloads.length);
      assert.deepEqual(verdicts, await judged(whole));
    });
  }

  it('a zero byte or half a surrogate pair in one payload changes nothing for the others [D4]', async () => {
    const values = ['a\0b', '\ud83d', 'after'];
    const cuts = JSON.stringify(values.map(({ length }) => length));
    for (const value of values) {
      const source = `value === ${JSON.stringify(value)}`;
      assert.deepEqual((await channel.call('compile', { source })).problem, undefined);
      const { verdicts } = await channel.call('judge', { count: 3, texts: values.join(''), cuts });
      assert.deepEqual(
        JSON.parse(verdicts),
        values.map((it) => it === value),
      );
    }
  });

  for (const source of wholly) {
    it(`“${source}” gets the whole payload [D4]`, () => assert.deepEqual(picksIn(source), {}));
  }
});
