import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { errorByCode, errorCodes } from '../../../src/protocol/errors.ts';
import { runJavaProgram } from '../../support/kafka/javaPrograms.ts';

describe('our table of wire errors', function () {
  this.timeout(600_000); // the first run fetches Kafka

  it("has Kafka's codes, names and retriable flags", async () => {
    const kafka = (await runJavaProgram('ErrorTable', Buffer.alloc(0)))
      .toString()
      .trim()
      .split('\n');
    const ours = Object.values(errorCodes)
      .map(errorByCode)
      .map(({ code, name, retriable }) => `${code} ${name} ${retriable}`);
    assert.deepEqual(ours, kafka);
  });
});
