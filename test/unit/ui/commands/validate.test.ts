import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  bootstrapProblem,
  connectionNameProblem,
  countProblem,
  parseBootstrap,
  replicasProblem,
  topicNameProblem,
} from '../../../../src/ui/commands/validate.ts';

describe('a topic name', () => {
  it('is taken as Kafka takes it: letters, digits, dot, underscore, dash, 249 at most', () => {
    for (const name of ['a', 'orders', 'Orders.v2_x-9', '...', 'a'.repeat(249)]) {
      assert.equal(topicNameProblem(name, []), undefined, name);
    }
  });

  it('is refused as Kafka refuses it', () => {
    assert.match(topicNameProblem('', []) ?? '', /needs a name/);
    assert.match(topicNameProblem('.', []) ?? '', /cannot be named/);
    assert.match(topicNameProblem('..', []) ?? '', /cannot be named/);
    assert.match(topicNameProblem('a'.repeat(250), []) ?? '', /249/);
    assert.match(topicNameProblem('or ders', []) ?? '', /" "/);
    assert.match(topicNameProblem('주문', []) ?? '', /"주"/);
    assert.match(topicNameProblem('a/b', []) ?? '', /"\/"/);
  });

  it('is refused where it exists, or differs only by dots and underscores', () => {
    assert.match(topicNameProblem('orders', ['orders']) ?? '', /already/);
    assert.match(topicNameProblem('a_b', ['a.b']) ?? '', /a\.b/);
    assert.equal(topicNameProblem('a-b', ['a.b']), undefined);
  });
});

describe('a number of partitions', () => {
  it('is whole and within its limits', () => {
    const limits = { least: 4, most: 10 };
    assert.equal(countProblem('4', limits), undefined);
    assert.equal(countProblem('10', limits), undefined);
    for (const text of ['3', '11', '', '-1', '4.5', '1e1', 'four', '0x5']) {
      assert.match(countProblem(text, limits) ?? '', /4 to 10/, text);
    }
  });
});

describe('a number of replicas', () => {
  it('is one for each broker at most, or left to the brokers', () => {
    for (const text of ['', '1', '3']) assert.equal(replicasProblem(text, 3), undefined, text);
    for (const text of ['0', '4', '-1']) assert.match(replicasProblem(text, 3) ?? '', /1 to 3/);
  });
});

describe('bootstrap servers', () => {
  it('are split at commas and spaces', () => {
    assert.deepEqual(parseBootstrap(' a:1, b:2,,c:3 '), ['a:1', 'b:2', 'c:3']);
  });

  it('are host:port each, IPv6 in brackets', () => {
    assert.equal(bootstrapProblem('localhost:9092'), undefined);
    assert.equal(bootstrapProblem('kafka-1.example.com:9092, kafka-2.example.com:9092'), undefined);
    assert.equal(bootstrapProblem('[::1]:9092'), undefined);
  });

  it('are refused with the address that is wrong', () => {
    assert.match(bootstrapProblem('') ?? '', /localhost:9092/);
    assert.match(bootstrapProblem('localhost') ?? '', /"localhost"/);
    assert.match(bootstrapProblem('a:1,b:x') ?? '', /"b:x"/);
    assert.match(bootstrapProblem('a:0') ?? '', /0 is no port/);
    assert.match(bootstrapProblem('a:65536') ?? '', /65536/);
    assert.match(bootstrapProblem('http://a:1') ?? '', /http/);
  });
});

describe('the name of a connection', () => {
  it('is there, and its own', () => {
    assert.equal(connectionNameProblem('staging', ['prod']), undefined);
    assert.match(connectionNameProblem('', []) ?? '', /needs a name/);
    assert.match(connectionNameProblem('prod', ['prod']) ?? '', /already/);
  });
});
