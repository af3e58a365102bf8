import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred, type Deferred } from '../../../../src/base/deferred.ts';
import { Slice } from '../../../../src/ui/trees/slice.ts';

describe('a slice', () => {
  it('is read once, however often it is asked for', async () => {
    let reads = 0;
    const slice = new Slice(() => Promise.resolve(++reads));
    await Promise.all([slice.load(), slice.load(), slice.load()]);
    await slice.load();
    assert.equal(slice.value, 1);
    assert.equal(reads, 1);
  });

  it('is never read twice at a time', async () => {
    const answers: Deferred<string>[] = [];
    const slice = new Slice(() => {
      const answer = deferred<string>();
      answers.push(answer);
      return answer.promise;
    });
    const first = slice.load();
    const second = slice.reload();
    await Promise.resolve();
    answers[0]?.resolve('one');
    await Promise.all([first, second]);
    assert.equal(answers.length, 1);
    assert.equal(slice.value, 'one');
  });

  it('shows a failure in words, and reads again when asked to', async () => {
    let fails = true;
    const slice = new Slice(() =>
      fails ? Promise.reject(new Error('cannot reach kafka-1')) : Promise.resolve('there'),
    );
    await slice.load();
    assert.match(slice.content.problem?.message ?? '', /cannot reach kafka-1/);
    fails = false;
    await slice.reload();
    assert.deepEqual(slice.content, { value: 'there' });
  });

  it('keeps what it had when renewing fails, with the problem beside it', async () => {
    let fails = false;
    const slice = new Slice(() =>
      fails ? Promise.reject(new Error('gone')) : Promise.resolve('kept'),
    );
    await slice.load();
    fails = true;
    await slice.reload();
    assert.equal(slice.value, 'kept');
    assert.match(slice.content.problem?.message ?? '', /gone/);
  });

  it('treats a reader that throws at once as any failure', async () => {
    const slice = new Slice<string>(() => {
      throw new Error('not connected');
    });
    await slice.load();
    assert.match(slice.content.problem?.message ?? '', /not connected/);
    await slice.reload();
    assert.match(slice.content.problem?.message ?? '', /not connected/);
  });

  it('drops what an earlier read brings after a reset, and cancels that read', async () => {
    const answers: { signal: AbortSignal; answer: Deferred<string> }[] = [];
    const slice = new Slice((signal) => {
      const answer = deferred<string>();
      answers.push({ signal, answer });
      return answer.promise;
    });
    const stale = slice.load();
    await Promise.resolve();
    slice.reset();
    assert.equal(answers[0]?.signal.aborted, true);
    const fresh = slice.load();
    await Promise.resolve();
    answers[1]?.answer.resolve('new');
    await fresh;
    answers[0].answer.resolve('old');
    await stale;
    assert.equal(slice.value, 'new');
  });
});
