import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  decodeMessage,
  decodeVersioned,
  encodeMessage,
  encodeVersioned,
} from '../../../src/protocol/messageCodec.ts';
import { apiVersionsResponse } from '../../../src/protocol/messages/apiVersions.ts';
import { describeTopicPartitionsRequest } from '../../../src/protocol/messages/describeTopicPartitions.ts';
import { fetchRequest, fetchResponse } from '../../../src/protocol/messages/fetch.ts';
import { metadataRequest } from '../../../src/protocol/messages/metadata.ts';
import { produceRequest } from '../../../src/protocol/messages/produce.ts';
import { ProtocolError, UnsupportedVersionError } from '../../../src/protocol/protocolError.ts';
import { offsetCommitValue } from '../../../src/protocol/records/offsetRecords.ts';
import { type MessageSchema, zeroUuid } from '../../../src/protocol/schema.ts';

const hex = (bytes: Buffer): string => bytes.toString('hex');

/** Every type in one message; `tagged` moves into the tagged section in version 2. */
const sample = {
  name: 'Sample',
  versions: '0-3',
  flexible: '2+',
  fields: {
    flag: { type: 'bool', versions: '0+' },
    small: { type: 'int8', versions: '0+' },
    port: { type: 'uint16', versions: '0+' },
    wide: { type: 'uint32', versions: '0+' },
    real: { type: 'float64', versions: '0+' },
    long: { type: 'int64', versions: '0+', default: -1n },
    id: { type: 'uuid', versions: '0+' },
    text: { type: 'string', versions: '0+', nullable: '1+' },
    data: { type: 'bytes', versions: '0+', nullable: '1+', default: null },
    moved: { type: 'int32', versions: '0+', tag: 1, tagged: '2+', default: 5 },
    note: { type: 'string', versions: '3+', nullable: '3+', tag: 0, default: null },
    late: { type: 'string', versions: '3+' },
    lateIgnorable: { type: 'int32', versions: '3+', ignorable: true },
    inner: {
      type: 'struct',
      versions: '2+',
      nullable: '2+',
      default: null,
      fields: { value: { type: 'int16', versions: '0+' } },
    },
  },
} as const satisfies MessageSchema;

describe('defaults', () => {
  it('stand in for every field left out', () => {
    const message = decodeMessage(sample, 3, encodeMessage(sample, 3, { data: Buffer.alloc(0) }));
    assert.deepEqual(message, {
      flag: false,
      small: 0,
      port: 0,
      wide: 0,
      real: 0,
      long: -1n,
      id: zeroUuid,
      text: '',
      data: Buffer.alloc(0),
      moved: 5,
      note: null,
      late: '',
      lateIgnorable: 0,
      inner: null,
    });
  });

  it('stand in for what a version does not have when decoding', () => {
    const request = decodeMessage(fetchRequest, 4, encodeMessage(fetchRequest, 4, {}));
    assert.equal(request.sessionEpoch, -1);
    assert.deepEqual(request.forgottenTopicsData, []);
    assert.deepEqual(request.replicaState, { replicaId: -1, replicaEpoch: -1n });
  });

  it('are not shared between messages', () => {
    const bytes = encodeMessage(fetchRequest, 4, {});
    const [first, second] = [
      decodeMessage(fetchRequest, 4, bytes),
      decodeMessage(fetchRequest, 4, bytes),
    ];
    first.forgottenTopicsData.push({ topic: 'x', topicId: zeroUuid, partitions: [] });
    first.replicaState.replicaId = 7;
    assert.deepEqual(second.forgottenTopicsData, []);
    assert.equal(second.replicaState.replicaId, -1);
  });
});

describe('a value for a version that lacks the field', () => {
  it('is an error', () => {
    assert.throws(() => encodeMessage(sample, 1, { data: null, late: 'x' }), {
      name: 'UnsupportedVersionError',
      message: 'Sample v1.late: version 1 cannot carry a value for it',
    });
    assert.throws(
      () => encodeMessage(fetchRequest, 12, { replicaState: { replicaId: 1 } }),
      UnsupportedVersionError,
    );
  });

  it('is dropped where it is ignorable, and allowed where it is the default', () => {
    const bytes = encodeMessage(sample, 1, { data: null, late: '', lateIgnorable: 7 });
    assert.equal(decodeMessage(sample, 1, bytes).lateIgnorable, 0);
    encodeMessage(fetchRequest, 12, { replicaState: { replicaId: -1 } });
  });
});

describe('a version outside the range', () => {
  it('is an UnsupportedVersionError both ways', () => {
    assert.throws(() => encodeMessage(sample, 4, {}), /Sample has versions 0-3, not 4/);
    assert.throws(() => decodeMessage(sample, -1, Buffer.alloc(9)), UnsupportedVersionError);
  });
});

describe('null', () => {
  it('is refused where the version does not allow it', () => {
    assert.throws(() => encodeMessage(sample, 0, { text: null, data: Buffer.of() }), {
      name: 'ProtocolError',
      message: 'Sample v0.text: null, where this version does not allow it',
    });
    const nullText = encodeMessage(sample, 1, { text: null });
    assert.equal(decodeMessage(sample, 1, nullText).text, null);
    assert.throws(() => decodeMessage(sample, 0, nullText), /Sample v0\.text: null/);
  });

  it('and empty are different strings, bytes, arrays and structs', () => {
    for (const version of [1, 2]) {
      const message = { text: null, data: Buffer.alloc(0) };
      const back = decodeMessage(sample, version, encodeMessage(sample, version, message));
      assert.equal(back.text, null);
      assert.equal(back.data?.length, 0);
    }
    const all = decodeMessage(
      metadataRequest,
      9,
      encodeMessage(metadataRequest, 9, { topics: null }),
    );
    const none = decodeMessage(
      metadataRequest,
      9,
      encodeMessage(metadataRequest, 9, { topics: [] }),
    );
    assert.equal(all.topics, null);
    assert.deepEqual(none.topics, []);
    const cursor = { topicName: 't', partitionIndex: 4 };
    for (const wanted of [null, cursor]) {
      const bytes = encodeMessage(describeTopicPartitionsRequest, 0, { cursor: wanted });
      assert.deepEqual(decodeMessage(describeTopicPartitionsRequest, 0, bytes).cursor, wanted);
    }
  });
});

describe('tagged fields', () => {
  it('travel only if they differ from the default', () => {
    assert.equal(hex(encodeMessage(apiVersionsResponse, 3, {})), '0000' + '01' + '00000000' + '00');
    const bytes = encodeMessage(apiVersionsResponse, 3, { finalizedFeaturesEpoch: 1n });
    assert.equal(hex(bytes), '0000' + '01' + '00000000' + '01' + '01' + '08' + '0000000000000001');
  });

  it('are written by ascending tag', () => {
    const bytes = encodeMessage(sample, 3, { data: Buffer.of(), moved: 1, note: 'n' });
    assert.equal(hex(bytes).slice(-22), '02' + '0002' + '026e' + '0104' + '00000001');
  });

  it('stand among the others in versions before they were tagged', () => {
    const bytes = encodeMessage(sample, 1, { moved: 77 });
    assert.equal(decodeMessage(sample, 1, bytes).moved, 77);
    assert.equal(hex(bytes).slice(-8), '0000004d');
  });

  it('that are unknown are skipped', () => {
    const bytes = Buffer.from('0000' + '01' + '00000000' + '02' + '0102cafe' + '6300', 'hex');
    bytes[8] = 0x32; // a tag nobody has
    assert.equal(decodeMessage(apiVersionsResponse, 3, bytes).throttleTimeMs, 0);
  });

  it('must take exactly the bytes they claim', () => {
    const head = '0000' + '01' + '00000000' + '01';
    const wrong = Buffer.from(head + '01' + '09' + '000000000000000100', 'hex');
    assert.throws(
      () => decodeMessage(apiVersionsResponse, 3, wrong),
      /tag 1 does not take 9 bytes/,
    );
    const long = Buffer.from(head + '32' + '09' + '00', 'hex');
    assert.throws(() => decodeMessage(apiVersionsResponse, 3, long), /tag 50 claims 9 bytes/);
  });
});

describe('errors', () => {
  it('name the message, the field and the position', () => {
    const topics = [{ topic: 't', partitions: [{}, {}] }];
    const bytes = encodeMessage(fetchRequest, 12, { topics });
    assert.throws(() => decodeMessage(fetchRequest, 12, bytes.subarray(0, 70)), {
      field: 'FetchRequest v12.topics[0].partitions[1].fetchOffset',
      position: 70,
    });
  });

  it('of the wrong type or range are ProtocolErrors when encoding', () => {
    const topics = [{ topic: 't', partitions: [{ partition: 2 ** 31 }] }];
    assert.throws(() => encodeMessage(fetchRequest, 12, { topics }), {
      name: 'ProtocolError',
      field: 'FetchRequest v12.topics[0].partitions[0].partition',
    });
    assert.throws(() => encodeMessage(sample, 3, { text: 'x'.repeat(32_768) }), ProtocolError);
  });
});

describe('record data', () => {
  it('is a view when decoded', () => {
    const records = Buffer.alloc(3000, 1);
    const topicData = [{ name: 't', partitionData: [{ index: 0, records }] }];
    const bytes = encodeMessage(produceRequest, 9, { acks: 1, topicData });
    const view = decodeMessage(produceRequest, 9, bytes).topicData[0]?.partitionData[0]?.records;
    assert.equal(view?.buffer, bytes.buffer);
    assert.deepEqual(view, records);
  });

  it('may be null', () => {
    const responses = [{ topicId: zeroUuid, partitions: [{ records: null }] }];
    const bytes = encodeMessage(fetchResponse, 16, { responses });
    assert.equal(
      decodeMessage(fetchResponse, 16, bytes).responses[0]?.partitions[0]?.records,
      null,
    );
  });
});

describe('a version in front', () => {
  it('is read back', () => {
    const bytes = encodeVersioned(offsetCommitValue, 3, { offset: 4n, metadata: 'm' });
    assert.equal(bytes.readInt16BE(), 3);
    const { version, message } = decodeVersioned(offsetCommitValue, bytes);
    assert.equal(version, 3);
    assert.equal(message.offset, 4n);
  });

  it('that is too new is refused unless it may be read as the newest', () => {
    const bytes = encodeVersioned(offsetCommitValue, 4, { offset: 4n });
    bytes.writeInt16BE(9);
    assert.throws(() => decodeVersioned(offsetCommitValue, bytes), UnsupportedVersionError);
    const { version, message } = decodeVersioned(offsetCommitValue, bytes, 'readAsNewest');
    assert.equal(version, 9);
    assert.equal(message.offset, 4n);
  });
});
