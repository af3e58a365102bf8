import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';
import { listenersOf } from '../../../../src/broker/security/listeners.ts';

const fallback = { host: '127.0.0.1', port: 9092 };

const told = (configs: Record<string, string>, address = fallback): string[] =>
  listenersOf(new BrokerConfig(configs), address).map(
    ({ name, host, port, advertised }) =>
      `${name} ${host}:${port}${advertised ? ` as ${advertised.host}:${advertised.port}` : ''}`,
  );

describe('The listeners of a broker', () => {
  it('[A13] are one on loopback, unless told otherwise', () => {
    assert.deepEqual(told({}), ['PLAINTEXT 127.0.0.1:9092']);
    assert.deepEqual(told({ listeners: 'PLAINTEXT://:9093' }), ['PLAINTEXT 127.0.0.1:9093']);
  });

  it('[A13] may be told to clients by another address, each for itself', () => {
    assert.deepEqual(
      told({
        listeners: 'PLAINTEXT://127.0.0.1:9092,DOCKER://0.0.0.0:9094',
        'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,DOCKER:PLAINTEXT',
        'advertised.listeners': 'docker://host.docker.internal:0',
      }),
      ['PLAINTEXT 127.0.0.1:9092', 'DOCKER 0.0.0.0:9094 as host.docker.internal:0'],
    );
    assert.deepEqual(told({ 'advertised.listeners': 'PLAINTEXT://[::1]:9999' }), [
      'PLAINTEXT 127.0.0.1:9092 as ::1:9999',
    ]);
  });

  it('[A13] may have an IPv6 address with brackets or without, and any name [SocketServerConfigs]', () => {
    const map = { 'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,-A B:c:PLAINTEXT' };
    assert.deepEqual(told({ listeners: 'PLAINTEXT://::1:9092,-a b:c://[::1]:9093', ...map }), [
      'PLAINTEXT ::1:9092',
      '-A B:C ::1:9093',
    ]);
  });

  const wrong: [string, Record<string, string>, RegExp][] = [
    ['every address, told to nobody in particular', { listeners: 'PLAINTEXT://0.0.0.0:9092' }, /clients cannot connect to 0\.0\.0\.0; set advertised\.listeners=PLAINTEXT:\/\/HOST:9092/], // prettier-ignore
    ['every address, as what clients are told', { 'advertised.listeners': 'PLAINTEXT://0.0.0.0:9092' }, /clients cannot connect to 0\.0\.0\.0/], // prettier-ignore
    ['no host for clients', { 'advertised.listeners': 'PLAINTEXT://:9092' }, /clients cannot connect to no host/], // prettier-ignore
    ['a name that there is not', { 'advertised.listeners': 'ELSE://a:1' }, /there is no listener ELSE; there is PLAINTEXT/], // prettier-ignore
    ['no address', { 'advertised.listeners': 'nonsense' }, /"nonsense" is not NAME:\/\/host:port/],
  ];
  for (const [what, configs, words] of wrong)
    it(`[A13] cannot have ${what}, which is said at the start`, () => {
      assert.throws(() => told(configs), words);
    });
});
