import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { namesInEnvFile, variablesFor } from '../../../../src/ui/environment/bootstrapVariables.ts';

describe('the variables of an address', () => {
  it('are what applications and frameworks read it from [K7]', () => {
    assert.deepEqual(variablesFor('a:1,b:2', []), {
      KAFKA_BOOTSTRAP_SERVERS: 'a:1,b:2',
      KAFKA_BROKERS: 'a:1,b:2',
      SPRING_KAFKA_BOOTSTRAP_SERVERS: 'a:1,b:2',
    });
  });

  it('leave out what is set already, in capital letters or not [K7]', () => {
    assert.deepEqual(Object.keys(variablesFor('a:1', ['PATH', 'kafka_brokers'])), [
      'KAFKA_BOOTSTRAP_SERVERS',
      'SPRING_KAFKA_BOOTSTRAP_SERVERS',
    ]);
  });

  it('are found in a file of variables, whatever its style [K7]', () => {
    const text = '# KAFKA_X=1\nKAFKA_BROKERS=a:1\r\n  export B_2 = "x=y"\nno\n=z\n';
    assert.deepEqual(namesInEnvFile(text), ['KAFKA_BROKERS', 'B_2']);
  });
});
