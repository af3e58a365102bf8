import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { definitionOf } from '../../../../src/broker/config/describedConfigs.ts';
import {
  hiddenFixedConfigs,
  hiddenGroupConfigs,
} from '../../../../src/broker/config/hiddenConfigs.ts';
import { unusedConfigs } from '../../../../src/broker/config/unusedConfigs.ts';

describe('a config that nothing goes by', () => {
  it('says so, also where it is told of only once it is set', () => {
    const names = Object.keys({ ...unusedConfigs, ...hiddenGroupConfigs, ...hiddenFixedConfigs });
    for (const name of names)
      assert.match(definitionOf(name)?.documentation ?? '', /\S It changes nothing here\.$/, name);
  });
});
