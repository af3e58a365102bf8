import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemRandom } from '../../../../src/base/random.ts';
import { emptyDraft, type ProduceDraft } from '../../../../src/shared/contracts/produce.ts';
import { previewDraft } from '../../../../src/ui/panels/produceDraft.ts';

const scene = {
  topics: [{ name: 'orders', partitionCount: 3 }],
  bootstrap: 'localhost:9092',
  nowMs: Date.UTC(2026, 10, 30),
  random: systemRandom,
};
const draftWith = (of: Partial<ProduceDraft>): ProduceDraft => ({
  ...emptyDraft('orders', null),
  ...of,
});
const json = (text: string) => ({ kind: 'json', text }) as const;

describe('a draft as a template', () => {
  it('that is no JSON before it is filled in is looked at as the first record that it makes [E2]', () => {
    const value = json('{"id": {{n}}, "total": {{decimal 1 100 2}}}');
    const { problems, template, isFirstOfMany, valueSize, batch } = previewDraft(
      draftWith({ value, key: { kind: 'text', text: 'O-{{n}}' } }),
      scene,
    );
    assert.deepEqual(template, { fields: ['key', 'value'], problems: [] });
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['value'],
    );
    assert.equal(isFirstOfMany, true);
    assert.ok(valueSize && batch);
  });

  it('that can be sent as it is keeps its braces, and is a template beside that [E2]', () => {
    const value = { kind: 'text', text: 'Hello {{n}}' } as const;
    const found = previewDraft(draftWith({ value }), scene);
    assert.deepEqual(found.template, { fields: ['value'], problems: [] });
    assert.deepEqual([found.problems, found.isFirstOfMany], [[], undefined]);
    assert.equal(found.valueSize, 'Hello {{n}}'.length);
  });

  it('says which placeholder it does not know, and what is no JSON when filled in [E2]', () => {
    const unknown = previewDraft(draftWith({ value: json('{"id": {{name}}}') }), scene);
    assert.match(unknown.template?.problems[0]?.message ?? '', /\{\{name\}\} is not known/);
    const wrong = previewDraft(draftWith({ value: json('{"id": {{n}}') }), scene);
    assert.deepEqual(
      wrong.template?.problems.map(({ field }) => field),
      ['value'],
    );
    assert.equal(wrong.isFirstOfMany, undefined);
  });

  it('keeps what is wrong with other fields, and finds placeholders in headers but not in digits [E2]', () => {
    const headers = [
      { key: 'trace-{{uuid}}', value: { kind: 'hex', text: '{{n}}' } as const },
      { key: '7b7b6e7d7d', keyForm: 'hex' as const, value: { kind: 'text', text: '1' } as const },
    ];
    const { template } = previewDraft(draftWith({ headers }), scene);
    assert.deepEqual(template?.fields, ['headers.0.key']);
    assert.deepEqual(
      template.problems.map(({ field }) => field),
      ['headers.0.value'],
    );
  });

  it('is none where it holds no placeholder', () => {
    assert.equal(previewDraft(draftWith({ value: json('{}') }), scene).template, undefined);
  });
});
