import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { fileDraft, textDraft } from '../../../../src/ui/panels/droppedDraft.ts';

describe('what is dropped on a topic', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dropped-'));
  });
  after(() => rm(folder, { recursive: true }));

  const file = async (name: string, text: string): Promise<string> => {
    const found = path.join(folder, name);
    await writeFile(found, text);
    return found;
  };

  it('is the value to produce, as JSON where it is JSON [C8]', () => {
    const { value, key } = textDraft('orders', '{"id":1}') ?? {};
    assert.deepEqual([value, key], [{ kind: 'json', text: '{"id":1}' }, { kind: 'null' }]);
    assert.deepEqual(textDraft('orders', 'two\nlines')?.value, {
      kind: 'text',
      text: 'two\nlines',
    });
  });

  it('is a record where it is a line of an export: key, value, headers and partition [C8]', () => {
    const line = JSON.stringify({
      topic: 'elsewhere',
      partition: 2,
      offset: '7',
      timestamp: '1',
      key: 'O-1',
      valueBase64: '/w==',
      headers: [{ key: 'trace', value: 'x' }],
    });
    const draft = textDraft('orders', line);
    assert.deepEqual(
      [draft?.topic, draft?.partition, draft?.key, draft?.value, draft?.headers],
      [
        'orders',
        2,
        { kind: 'text', text: 'O-1' },
        { kind: 'base64', text: '/w==' },
        [{ key: 'trace', value: { kind: 'text', text: 'x' } }],
      ],
    );
    assert.deepEqual(textDraft('orders', '{"value":1}')?.value, {
      kind: 'json',
      text: '{"value":1}',
    });
  });

  it('is the first record of a file of JSON lines or CSV, and says whether there are more [C8]', async () => {
    const json = await file('a.jsonl', '{"key":"a","value":"1"}\n{"key":"b","value":"2"}\n');
    const { draft, hasMore } = await fileDraft('orders', json);
    assert.deepEqual([draft.key, hasMore], [{ kind: 'text', text: 'a' }, true]);
    const csv = await fileDraft('orders', await file('a.csv', 'key,value\nk,v\n'));
    assert.deepEqual([csv.draft.value, csv.hasMore], [{ kind: 'text', text: 'v' }, false]);
  });

  it('is refused where a file has no record, with what is wrong, and where text is too long [C8]', async () => {
    await assert.rejects(fileDraft('orders', await file('b.jsonl', 'no json\n')), /line 1: /);
    await assert.rejects(fileDraft('orders', await file('empty.jsonl', '')), /no record/);
    assert.equal(textDraft('orders', 'x'.repeat(2 ** 20 + 1)), undefined);
  });
});
