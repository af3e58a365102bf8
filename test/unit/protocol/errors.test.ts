import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { errorByCode, errorCodes } from '../../../src/protocol/errors.ts';

describe('wire errors', () => {
  it('have codes, names and a way to tell whether to try again', () => {
    assert.equal(errorCodes.NONE, 0);
    assert.equal(errorCodes.UNKNOWN_SERVER_ERROR, -1);
    assert.equal(errorByCode(6).name, 'NOT_LEADER_OR_FOLLOWER');
    assert.equal(errorByCode(6).retriable, true);
    assert.equal(errorByCode(36).retriable, false);
  });

  it('have different codes without gaps, and words for each', () => {
    const codes = Object.values(errorCodes).sort((left, right) => left - right);
    assert.deepEqual(
      codes,
      Array.from({ length: codes.length }, (_, index) => index - 1),
    );
    for (const code of codes) assert.match(errorByCode(code).description, /^[A-Za-z].+\.$/);
  });

  it('that Kafka does not have keep their code', () => {
    const unknown = errorByCode(9999);
    assert.equal(unknown.name, 'UNKNOWN_SERVER_ERROR');
    assert.equal(unknown.code, 9999);
    assert.match(unknown.description, /9999/);
  });
});
