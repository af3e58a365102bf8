import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { configWords } from '../../../src/ui/configWords.ts';

describe('The value of a config', () => {
  for (const [name, value, words] of [
    ['retention.ms', '604800000', '604800000 (7d)'],
    ['segment.ms', '5400000', '5400000 (1h 30m)'],
    ['file.delete.delay.ms', '60000', '60000 (1m)'],
    ['segment.bytes', '1073741824', '1073741824 (1 GiB)'],
    ['segment.bytes', '1610612736', '1610612736 (1,536 MiB)'],
    ['index.interval.bytes', '4096', '4096 (4 KiB)'],
  ] as const)
    it(`is also told in larger units, where its name says its own: ${name} ${value}`, () => {
      assert.equal(configWords(name, value), words);
    });

  for (const [name, value] of [
    ['max.message.bytes', '1048588'],
    ['retention.ms', '-1'],
    ['retention.ms', '0'],
    ['flush.ms', '9223372036854775807'],
    ['flush.messages', '604800000'],
    ['cleanup.policy', 'delete'],
    ['retention.ms', ''],
  ] as const)
    it(`is told alone where no larger unit holds it exactly: ${name} ${value || 'not set'}`, () => {
      assert.equal(configWords(name, value), value);
    });
});
