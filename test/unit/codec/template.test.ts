import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { compileTemplate, placeholders, TemplateError } from '../../../src/codec/template.ts';

const scene = { number: 7, nowMs: 1_795_960_987_482, random: seededRandom(1) };
const fill = (text: string): string => compileTemplate(text).fill(scene);

describe('a template [E2]', () => {
  it('keeps text without placeholders as it is', () => {
    assert.equal(fill('{"a": {"b": 1}} }} {{'), '{"a": {"b": 1}} }} {{');
    assert.equal(compileTemplate('plain').hasPlaceholders, false);
  });

  it('is read in one pass, however many braces or spaces it has', () => {
    const text = `{{${' '.repeat(500_000)}x ${'{{'.repeat(250_000)}\n`;
    assert.equal(fill(`${text}{{n}}`), `${text}7`);
  });

  it('counts, and tells the time', () => {
    assert.equal(fill('{{n}}/{{ now }}/{{isoNow}}'), '7/1795960987482/2026-11-29T14:03:07.482Z');
  });

  it('makes whole numbers with both ends, decimals with their digits, and one of several words', () => {
    const seen = new Set(Array.from({ length: 200 }, () => fill('{{int -1 1}}')));
    assert.deepEqual([...seen].sort(), ['-1', '0', '1']);
    assert.match(fill('{{decimal 1 2 3}}'), /^[12]\.\d{3}$/);
    assert.ok(['red', 'green'].includes(fill('{{pick red green}}')));
  });

  it('makes UUIDs of version 4 that differ', () => {
    const [first, second] = [fill('{{uuid}}'), fill('{{uuid}}')];
    assert.match(first, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.notEqual(first, second);
  });

  it('understands every placeholder that it names', () => {
    for (const placeholder of placeholders) assert.notEqual(fill(placeholder), placeholder);
  });

  for (const wrong of [
    '{{nope}}',
    '{{int 1}}',
    '{{int a b}}',
    '{{pick}}',
    '{{decimal 1 2 50}}',
    '{{int 0 9e15}}',
    '{{decimal -1e308 1e308 2}}',
    '{{pick {{n}} b}}',
    '{{n}} {{int 1 2',
    '{{ uuid\n}}',
  ]) {
    it(`refuses ${JSON.stringify(wrong)} and says why`, () => {
      assert.throws(() => compileTemplate(wrong), TemplateError);
    });
  }
});
