import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { encodeVersioned } from '../../../../src/protocol/messageCodec.ts';
import { ProtocolError } from '../../../../src/protocol/protocolError.ts';
import {
  consumerProtocolSubscription,
  decodeConsumerProtocol,
} from '../../../../src/protocol/records/consumerProtocol.ts';
import {
  decodeControlRecordKey,
  encodeControlRecordKey,
} from '../../../../src/protocol/records/controlRecords.ts';
import {
  decodeCoordinatorRecord,
  encodeRecordKey,
  groupRecordTypes,
} from '../../../../src/protocol/records/coordinatorRecordCodec.ts';
import {
  decodeMetadataRecord,
  encodeMetadataRecord,
} from '../../../../src/protocol/records/metadataRecordCodec.ts';

describe('keys of coordinator records', () => {
  const key = encodeRecordKey(groupRecordTypes.offsetCommit, {
    group: 'g',
    topic: 't',
    partition: 3,
  });

  it("start with the record's kind", () => {
    assert.equal(key.toString('hex'), '0001' + '000167' + '000174' + '00000003');
    const decoded = decodeCoordinatorRecord(groupRecordTypes, { key, value: null });
    assert.equal(decoded?.kind, 'offsetCommit');
    assert.deepEqual(decoded.key, { group: 'g', topic: 't', partition: 3 });
  });

  it('of the older kind 0 are offset commits too', () => {
    const legacy = Buffer.from(key);
    legacy.writeInt16BE(0);
    assert.equal(
      decodeCoordinatorRecord(groupRecordTypes, { key: legacy, value: null })?.kind,
      'offsetCommit',
    );
  });

  it('of other kinds are left to others', () => {
    const other = { key: Buffer.from('0063', 'hex'), value: null };
    assert.equal(decodeCoordinatorRecord(groupRecordTypes, other), undefined);
  });
});

describe('metadata records', () => {
  const bytes = encodeMetadataRecord('topic', 0, { name: 't' });

  it('carry frame version, kind and version', () => {
    assert.equal(bytes.subarray(0, 5).toString('hex'), '0102000274');
    const record = decodeMetadataRecord(bytes);
    assert.equal(record.kind, 'topic');
    assert.equal(record.message.name, 't');
  });

  it('of another frame version or kind, or with bytes left over, are refused', () => {
    for (const wrong of ['000200', '01ff0100', '01']) {
      assert.throws(() => decodeMetadataRecord(Buffer.from(wrong, 'hex')), ProtocolError);
    }
    const longer = Buffer.concat([bytes, Buffer.of(0)]);
    assert.throws(() => decodeMetadataRecord(longer), /1 bytes follow the record/);
  });
});

describe('the consumer protocol', () => {
  const subscription = { topics: ['a'], rackId: 'r', generationId: 4 };

  it('is read in the version that it names', () => {
    const bytes = encodeVersioned(consumerProtocolSubscription, 0, subscription);
    const { version, message } = decodeConsumerProtocol(consumerProtocolSubscription, bytes);
    assert.equal(version, 0);
    assert.deepEqual(message.topics, ['a']);
    assert.equal(message.generationId, -1);
  });

  it('in a version to come is read as the newest that we know', () => {
    const bytes = encodeVersioned(consumerProtocolSubscription, 3, subscription);
    bytes.writeInt16BE(12);
    const { message } = decodeConsumerProtocol(consumerProtocolSubscription, bytes);
    assert.equal(message.rackId, 'r');
  });
});

describe('keys of control records', () => {
  it('say what they are', () => {
    assert.equal(encodeControlRecordKey('commit').toString('hex'), '00000001');
    assert.equal(decodeControlRecordKey(Buffer.from('00000000', 'hex')), 'abort');
    assert.equal(decodeControlRecordKey(Buffer.from('00050001', 'hex')), 'commit');
    assert.equal(decodeControlRecordKey(Buffer.from('00000063', 'hex')), undefined);
  });
});
