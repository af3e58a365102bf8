import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isJson, isJsonContainer, layOutJson, prettyJson } from '../../../src/shared/jsonLayout.ts';

describe('prettyJson', () => {
  const laidOut: [string, string][] = [
    ['{}', '{}'],
    ['[]', '[]'],
    [' 1 ', '1'],
    ['"a"', '"a"'],
    ['{"a":1}', '{\n  "a": 1\n}'],
    ['[1,2]', '[\n  1,\n  2\n]'],
    ['{"a":{},"b":[]}', '{\n  "a": {},\n  "b": []\n}'],
    ['[[],[[]]]', '[\n  [],\n  [\n    []\n  ]\n]'],
    ['{"a" : [ true , null,false ] }', '{\n  "a": [\n    true,\n    null,\n    false\n  ]\n}'],
  ];
  for (const [text, expected] of laidOut) {
    it(`lays out ${text}`, () => assert.equal(prettyJson(text), expected));
  }

  it('keeps the digits of numbers that a double cannot hold', () => {
    const numbers = ['9007199254740993', '-0', '1E400', '0.10', '1.0', '12345678901234567890.5e-3'];
    assert.equal(prettyJson(`[${numbers.join()}]`), `[\n  ${numbers.join(',\n  ')}\n]`);
  });

  it('keeps duplicate keys and their order, where JSON.parse keeps the last', () =>
    assert.equal(
      prettyJson('{"b":1,"a":2,"b":3,"__proto__":4}'),
      '{\n  "b": 1,\n  "a": 2,\n  "b": 3,\n  "__proto__": 4\n}',
    ));

  it('keeps escapes as they are written', () => {
    const text = String.raw`"\u0041\n\"\\"`;
    assert.equal(prettyJson(text), text);
  });

  it('leaves brackets, commas and colons inside of strings alone', () =>
    assert.equal(prettyJson('["{[,:]}\\\\"]'), '[\n  "{[,:]}\\\\"\n]'));

  it('changes only the space between tokens', () => {
    let state = 11;
    const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const value = (depth: number): unknown => {
      const kind = next(depth > 4 ? 4 : 6);
      if (kind === 0) return next(1_000_000) / 64;
      if (kind === 1) return ['', 'a"b', '\\', 'x\n:,{}[]', '🙂'][next(5)];
      if (kind === 2) return next(2) === 0;
      if (kind === 3) return null;
      if (kind === 4) return Array.from({ length: next(4) }, () => value(depth + 1));
      return Object.fromEntries(
        Array.from({ length: next(4) }, (_, i) => [`k${i}:"`, value(depth + 1)]),
      );
    };
    for (let i = 0; i < 500; i++) {
      const original = value(0);
      assert.equal(prettyJson(JSON.stringify(original)), JSON.stringify(original, undefined, 2));
    }
  });

  it('does not indent without end', () => {
    const depth = 5000;
    const text = '['.repeat(depth) + ']'.repeat(depth);
    assert.ok(prettyJson(text).length < depth * 2 * 140);
  });

  it('takes a string of ten million characters', () => {
    const text = `"${'\\n'.repeat(5_000_000)}"`;
    assert.equal(prettyJson(text), text);
  });
});

describe('layOutJson', () => {
  it('tells keys from strings', () => {
    const kinds = [...layOutJson('{"a":"b","c":["d",1,null]}')]
      .filter(({ kind }) => kind !== 'space' && kind !== 'punctuation')
      .map(({ kind, text }) => `${kind} ${text}`);
    assert.deepEqual(kinds, [
      'key "a"',
      'string "b"',
      'key "c"',
      'string "d"',
      'number 1',
      'literal null',
    ]);
  });

  it('can be stopped early', () => {
    const [first] = layOutJson(`[${'1,'.repeat(1_000_000)}1]`);
    assert.deepEqual(first, { kind: 'punctuation', text: '[' });
  });
});

describe('isJson', () => {
  for (const text of ['', ' ', '{', "{'a':1}", 'undefined', 'NaN', '01', '{"a":1}x', '[1,]']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isJson(text), false));
  }
  it('takes a bare value, which is not worth laying out', () => {
    assert.equal(isJson('42'), true);
    assert.equal(isJsonContainer('42'), false);
    assert.equal(isJsonContainer(' [42]'), true);
    assert.equal(isJsonContainer('[42'), false);
  });
});
