import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyDraft, type ProduceDraft } from '../../../../src/shared/contracts/produce.ts';
import { HeldPayloads } from '../../../../src/ui/panels/heldPayloads.ts';
import { previewDraft, recordOf } from '../../../../src/ui/panels/produceDraft.ts';
import { recordDraft } from '../../../../src/ui/panels/recordDraft.ts';

const bytes = Buffer.alloc(3_000_000, '{"a":1}\r\n');

/** As it is produced again: of a record of 3 MB that was looked at as JSON. */
function largeDraft(): ProduceDraft {
  const record = {
    ...{ topic: 'flights', partition: 0, offset: '7883' },
    ...{ key: null, value: bytes.toString('base64'), headers: [] },
  };
  return recordDraft(record, { valueForm: 'json' });
}

function payloads(): HeldPayloads {
  let ids = 0;
  return new HeldPayloads(() => `id-${++ids}`);
}

describe('the payloads that a produce panel keeps for its form', () => {
  it('are named to the page with their size and where they are from, and sent byte for byte [E5]', () => {
    const held = payloads();
    const form = held.take(largeDraft());
    assert.deepEqual(form.value, { kind: 'held', id: 'id-1', sizeBytes: bytes.length });
    assert.equal(form.origin, 'the record at flights/0/7,883');
    assert.ok(JSON.stringify(form).length < 1000);
    const { value } = recordOf(held.whole({ ...form, topic: 'copies', partition: 1 }));
    assert.deepEqual(value, bytes);
  });

  it('leave what fits into a form there', () => {
    const draft = { ...emptyDraft('orders', null), value: { kind: 'json', text: '{}' } as const };
    assert.deepEqual(payloads().take(draft), draft);
  });

  it('are looked at with their sizes, the partition and the size of the batch [E1]', () => {
    const held = payloads();
    const draft = held.whole(held.take(largeDraft()));
    const { valueSize, partition, batch, commands, problems } = previewDraft(draft, {
      topics: [{ name: 'flights', partitionCount: 3 }],
      ...{ bootstrap: 'localhost:9092', nowMs: 0 },
      random: { bytes: (size) => new Uint8Array(size), below: () => 0 },
    });
    assert.deepEqual(
      { valueSize, partition, commands, problems },
      {
        ...{ valueSize: bytes.length, partition: 0, commands: [], problems: [] },
      },
    );
    assert.ok(batch && batch.size > bytes.length && batch.beginning.length < 2000);
  });

  it('are not built into a batch for a look where that would take long', () => {
    const text = bytes.toString('base64').repeat(2);
    const draft = { ...largeDraft(), value: { kind: 'base64', text } as const };
    const { valueSize, batch } = previewDraft(draft, {
      topics: [{ name: 'flights', partitionCount: 3 }],
      ...{ bootstrap: 'localhost:9092', nowMs: 0 },
      random: { bytes: (size) => new Uint8Array(size), below: () => 0 },
    });
    assert.deepEqual({ valueSize, batch }, { valueSize: 2 * bytes.length, batch: undefined });
  });

  it('go when the form begins anew, stay where its draft names them, and are said to be gone', () => {
    const held = payloads();
    const form = held.take(largeDraft());
    assert.deepEqual(held.problemsOf(held.take(form)), []);
    held.take(emptyDraft('orders', null));
    const [problem] = held.problemsOf(form);
    assert.equal(problem?.field, 'value');
    assert.throws(() => held.whole(form), /not kept any more/);
  });
});
