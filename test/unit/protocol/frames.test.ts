import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  apiByKey,
  requestHeaderVersion,
  responseHeaderVersion,
  versionsOf,
} from '../../../src/protocol/apiIndex.ts';
import { apis } from '../../../src/protocol/apis.ts';
import {
  correlationIdOf,
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  encodeResponseParts,
} from '../../../src/protocol/frames.ts';
import { decodeMessage } from '../../../src/protocol/messageCodec.ts';
import { ProtocolError } from '../../../src/protocol/protocolError.ts';

describe('header versions', () => {
  it('follow the flexible versions of the API', () => {
    assert.equal(requestHeaderVersion(apis.metadata, 8), 1);
    assert.equal(requestHeaderVersion(apis.metadata, 9), 2);
    assert.equal(responseHeaderVersion(apis.metadata, 8), 0);
    assert.equal(responseHeaderVersion(apis.metadata, 9), 1);
  });

  it('of ApiVersions responses are always 0, of its requests not', () => {
    assert.equal(responseHeaderVersion(apis.apiVersions, 4), 0);
    assert.equal(requestHeaderVersion(apis.apiVersions, 4), 2);
  });
});

describe('the index of APIs', () => {
  it('finds an API by its key', () => {
    assert.equal(apiByKey(3)?.name, 'metadata');
    assert.equal(apiByKey(3)?.api, apis.metadata);
    assert.equal(apiByKey(7), undefined);
  });

  it('knows the versions of the schemas', () => {
    assert.deepEqual(versionsOf(apis.produce), { min: 3, max: 13 });
  });
});

describe('a request frame', () => {
  const request = encodeRequest({
    api: apis.metadata,
    version: 12,
    correlationId: 7,
    clientId: 'me',
    body: { topics: null, allowAutoTopicCreation: false },
  });

  it("has Kafka's bytes", () => {
    const header = '0003' + '000c' + '00000007' + '00026d65' + '00';
    assert.equal(request.toString('hex'), '00000011' + header + '00' + '00' + '00' + '00');
  });

  it('is read back, up to its body', () => {
    const frame = decodeRequest(request.subarray(4));
    assert.equal(frame.api, apis.metadata);
    assert.equal(frame.apiKey, 3);
    assert.equal(frame.version, 12);
    assert.equal(frame.correlationId, 7);
    assert.equal(frame.clientId, 'me');
    const body = decodeMessage(apis.metadata.request, 12, frame.body);
    assert.equal(body.topics, null);
    assert.equal(frame.body.remaining, 0);
  });

  it('of an unknown API still gives key, version and correlation id', () => {
    const frame = decodeRequest(Buffer.from('0007000100000005ffff', 'hex'));
    assert.equal(frame.api, undefined);
    assert.deepEqual([frame.apiKey, frame.version, frame.correlationId], [7, 1, 5]);
    assert.equal(frame.clientId, null);
  });

  it('in a version that we do not have still gives its header', () => {
    const frame = decodeRequest(Buffer.from('001203e700000005ffff00', 'hex'));
    assert.equal(frame.api, apis.apiVersions);
    assert.deepEqual([frame.version, frame.correlationId], [999, 5]);
  });

  it('with a malformed header is a ProtocolError', () => {
    for (const bytes of ['', '0012', '00120003000000050009', '0003000c00000005000161']) {
      assert.throws(() => decodeRequest(Buffer.from(bytes, 'hex')), ProtocolError);
    }
  });
});

describe('a response frame', () => {
  it('is read back', () => {
    const body = { errorCode: 35, apiKeys: [{ apiKey: 18, minVersion: 0, maxVersion: 4 }] };
    for (const version of [0, 3]) {
      const bytes = encodeResponse({ api: apis.apiVersions, version, correlationId: 9, body });
      assert.equal(bytes.readInt32BE(), bytes.length - 4);
      assert.equal(correlationIdOf(bytes.subarray(4)), 9);
      const response = decodeResponse(apis.apiVersions, version, bytes.subarray(4));
      assert.equal(response.correlationId, 9);
      assert.deepEqual(response.body.apiKeys, body.apiKeys);
    }
  });

  it('carries record data as a piece of its own', () => {
    const records = Buffer.alloc(100_000, 5);
    const partitions = [{ partitionIndex: 0, records }];
    const parts = encodeResponseParts({
      api: apis.fetch,
      version: 12,
      correlationId: 1,
      body: { responses: [{ topic: 't', partitions }] },
    });
    assert.equal(parts[1]?.buffer, records.buffer);
    assert.equal(parts[0]?.readInt32BE(), Buffer.concat(parts).length - 4);
    const { body } = decodeResponse(apis.fetch, 12, Buffer.concat(parts).subarray(4));
    assert.deepEqual(body.responses[0]?.partitions[0]?.records, records);
  });
});
