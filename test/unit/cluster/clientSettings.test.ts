import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  clientKinds,
  clientSettings,
  type ConnectionFacts,
} from '../../../src/cluster/clientSettings.ts';

const plain: ConnectionFacts = { bootstrap: ['127.0.0.1:9092'], tls: false };
const secure: ConnectionFacts = {
  bootstrap: ['a.example:9093', 'b.example:9093'],
  tls: true,
  sasl: { mechanism: 'SCRAM-SHA-512', username: `o'ha"ra` },
};

describe('client settings', () => {
  it('say no more than the address for a plaintext cluster', () => {
    assert.equal(
      clientSettings('node', plain),
      `import { Kafka } from 'kafkajs';\n\nconst kafka = new Kafka({\n  brokers: ['127.0.0.1:9092'],\n});\n`,
    );
    assert.equal(clientSettings('properties', plain), 'bootstrap.servers=127.0.0.1:9092\n');
    assert.equal(
      clientSettings('spring', plain),
      'spring:\n  kafka:\n    bootstrap-servers: 127.0.0.1:9092\n',
    );
  });

  for (const kind of clientKinds) {
    it(`name every broker for ${kind}, and leave the password to the environment`, () => {
      const text = clientSettings(kind, secure);
      for (const address of secure.bootstrap) assert.ok(text.includes(address));
      assert.ok(text.includes('KAFKA_PASSWORD'));
      assert.ok(text.endsWith('\n'));
    });
  }

  it('quote a user name as each language does', () => {
    assert.match(clientSettings('node', secure), /username: 'o\\'ha"ra'/);
    assert.match(clientSettings('java', secure), /username=\\"o'ha\\\\\\"ra\\"/);
    assert.match(clientSettings('spring', secure), /username="o''ha\\"ra"/);
    assert.match(clientSettings('python', secure), /"sasl.username": "o'ha\\"ra"/);
    assert.match(clientSettings('go', secure), /AsSha512Mechanism/);
  });
});
