import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { apis } from '../../../src/protocol/apis.ts';
import { apiByKey } from '../../../src/protocol/apiIndex.ts';
import { decodeResponse } from '../../../src/protocol/frames.ts';
import type { RawClient, RequestInput, Response } from './support/rawClient.ts';
import { connections, errorName, freshName, patienceMs, servers } from './support/servers.ts';

const named = { clientSoftwareName: 'raw', clientSoftwareVersion: '1.0' };

/** A request header of version 1 or 2, whose body the server must not need. */
function header(apiKey: number, version: number, { flexible = false } = {}): Buffer {
  const clientId = Buffer.from('raw');
  const frame = Buffer.alloc(4 + 2 + 2 + 4 + 2 + clientId.length + (flexible ? 1 : 0));
  frame.writeInt32BE(frame.length - 4, 0);
  frame.writeInt16BE(apiKey, 4);
  frame.writeInt16BE(version, 6);
  frame.writeInt32BE(42, 8);
  frame.writeInt16BE(clientId.length, 12);
  clientId.copy(frame, 14);
  return frame;
}

for (const server of servers) {
  describe(`ApiVersions (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    let client: RawClient;

    beforeEach(async () => {
      client = await connect();
    });

    it('[A3] answers every version with the same table', async () => {
      const tables = [];
      for (let version = 0; version <= 5; version++) {
        const body: RequestInput<'apiVersions'> = version >= 3 ? named : {};
        const answer = await client.call('apiVersions', version, body);
        assert.equal(errorName(answer.errorCode), 'NONE');
        const byKey = [...answer.apiKeys].sort((a, b) => a.apiKey - b.apiKey);
        tables.push(
          byKey.map(({ apiKey, minVersion, maxVersion }) => [apiKey, minVersion, maxVersion]),
        );
      }
      for (const table of tables.slice(1)) assert.deepEqual(table, tables[0]);
    });

    it('[A3] answers a version that it does not know in version 0, with the versions it knows', async () => {
      client.write(header(apis.apiVersions.key, 99, { flexible: true }));
      const frame = await client.nextFrame();
      assert.ok(frame);
      const { correlationId, body } = decodeResponse(apis.apiVersions, 0, frame);
      assert.equal(correlationId, 42);
      assert.equal(errorName(body.errorCode), 'UNSUPPORTED_VERSION');
      assert.deepEqual(
        body.apiKeys.map((each) => ({ ...each })),
        [{ apiKey: 18, minVersion: 0, maxVersion: 5 }],
      );
      assert.equal((await client.call('apiVersions', 0, {})).errorCode, 0);
    });

    it('[A2] advertises Produce from version 0, without which librdkafka does not compress', async () => {
      const { apiKeys } = await client.call('apiVersions', 3, named);
      const produce = apiKeys.find(({ apiKey }) => apiKey === apis.produce.key);
      assert.deepEqual({ ...produce }, { apiKey: 0, minVersion: 0, maxVersion: 13 });
    });

    it('[A2] hides features that start at 0 from clients that stumble over them', async () => {
      const { supportedFeatures } = await client.call('apiVersions', 3, named);
      assert.ok(supportedFeatures.length > 0);
      assert.ok(supportedFeatures.every(({ minVersion }) => minVersion > 0));
    });

    const odd: [string, RequestInput<'apiVersions'>][] = [
      ['no software name', { clientSoftwareName: '', clientSoftwareVersion: '1' }],
      ['a software name with a blank', { clientSoftwareName: 'a b', clientSoftwareVersion: '1' }],
      [
        'a software version that ends in a dot',
        { clientSoftwareName: 'a', clientSoftwareVersion: '1.' },
      ],
    ];
    for (const [what, body] of odd) {
      it(`[A3] refuses ${what}: INVALID_REQUEST`, async () => {
        assert.equal(
          errorName((await client.call('apiVersions', 3, body)).errorCode),
          'INVALID_REQUEST',
        );
      });
    }

    it('[A3] tells a client that means another cluster or another broker', async () => {
      const { clusterId } = await client.call('metadata', 12, { topics: [] });
      const ask = async (more: RequestInput<'apiVersions'>) =>
        errorName((await client.call('apiVersions', 5, { ...named, ...more })).errorCode);
      assert.equal(await ask({ clusterId, nodeId: 1 }), 'NONE');
      assert.equal(await ask({ clusterId: 'elsewhere', nodeId: 1 }), 'REBOOTSTRAP_REQUIRED');
      assert.equal(await ask({ clusterId, nodeId: 2 }), 'REBOOTSTRAP_REQUIRED');
    });

    for (const [what, key, version] of [
      ['an API that does not exist', 999, 0],
      ['a negative API key', -5, 0],
      ['a version of Produce that it advertises and does not serve', apis.produce.key, 2],
      ['a version of Metadata that is not there yet', apis.metadata.key, 77],
      ['a negative version', apis.metadata.key, -1],
    ] as const) {
      it(`[A3] closes the connection on ${what}`, async () => {
        client.write(header(key, version));
        assert.equal(await client.isClosedByServer(), true);
      });
    }

    it('[A3] refuses SASL where nobody has to authenticate', async () => {
      const answer = await client.call('saslHandshake', 1, { mechanism: 'PLAIN' });
      assert.equal(errorName(answer.errorCode), 'ILLEGAL_SASL_STATE');
    });

    it('[A7] finds the coordinator of groups, one or many at once', async () => {
      const [one, two] = [freshName('g'), freshName('g')];
      const findNew = async (): Promise<Response<'findCoordinator'>['coordinators']> => {
        for (;;) {
          const { coordinators } = await client.call('findCoordinator', 6, {
            keyType: 0,
            coordinatorKeys: [one, two],
          });
          if (errorName(coordinators[0]?.errorCode) !== 'COORDINATOR_NOT_AVAILABLE')
            return coordinators;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      const many = await findNew();
      assert.deepEqual(
        many.map(({ key, nodeId, errorCode }) => [key, nodeId, errorName(errorCode)]),
        [
          [one, 1, 'NONE'],
          [two, 1, 'NONE'],
        ],
      );
      for (let version = 0; version <= 3; version++) {
        const single = await client.call('findCoordinator', version, { key: one });
        assert.equal(errorName(single.errorCode), 'NONE');
        assert.equal(`${single.host}:${single.port}`, await server.bootstrap());
      }
      const share = await client.call('findCoordinator', 5, { keyType: 2, coordinatorKeys: ['x'] });
      assert.equal(errorName(share.coordinators[0]?.errorCode), 'INVALID_REQUEST');
    });
  });
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('ApiVersions beside Apache Kafka', function () {
  this.timeout(patienceMs);
  const connectors = servers.map((server) => connections(server));

  it('[A3] advertises each API that it has with the versions that Kafka has (embedded, Kafka 4.4)', async () => {
    const [ours, kafkas] = await Promise.all(
      connectors.map(async (connect) => {
        const { apiKeys } = await (await connect()).call('apiVersions', 4, named);
        return new Map(
          apiKeys.map((each) => [each.apiKey, `${each.minVersion}-${each.maxVersion}`]),
        );
      }),
    );
    assert.ok(ours && kafkas);
    const firstTier = [
      ...range(0, 3),
      ...range(8, 16),
      ...range(18, 20),
      22,
      23,
      32,
      37,
      ...range(42, 47),
      55,
      57,
      60,
      61,
      75,
    ];
    assert.deepEqual(
      firstTier.filter((key) => !ours.has(key)),
      [],
    );
    for (const [key, versions] of ours) {
      assert.equal(versions, kafkas.get(key), apiByKey(key)?.name);
    }
  });

  it('[A3] has the features that it has at the level of Kafka (embedded, Kafka 4.4)', async () => {
    const [ours, kafkas] = await Promise.all(
      connectors.map(async (connect) => (await connect()).call('apiVersions', 4, named)),
    );
    assert.ok(ours && kafkas);
    assert.ok(ours.finalizedFeaturesEpoch >= 0n);
    assert.deepEqual(
      ours.finalizedFeatures.map(({ name }) => name),
      ours.supportedFeatures.map(({ name }) => name),
    );
    for (const feature of ours.finalizedFeatures) {
      assert.deepEqual(
        feature,
        kafkas.finalizedFeatures.find(({ name }) => name === feature.name),
      );
    }
    for (const feature of ours.supportedFeatures) {
      assert.deepEqual(
        feature,
        kafkas.supportedFeatures.find(({ name }) => name === feature.name),
      );
    }
  });
});
