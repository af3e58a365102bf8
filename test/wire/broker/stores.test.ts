// Java's key stores and the names in certificates: our broker and Kafka 4.4 with the same configs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import { after, before, describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import { testProfile } from '../../../src/cluster/connections/profileTest.ts';
import { type Certificates, passphrase } from '../../support/kafka/certificates.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { type OAuthCluster, oauthClusters, sharedStores } from '../../support/oauthClusters.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, freshName, patienceMs } from './support/servers.ts';

for (const { name, start } of oauthClusters)
  describe(`Java's key stores (${name})`, function () {
    this.timeout(patienceMs);
    let cluster: OAuthCluster;
    let certificates: Certificates;

    before(async () => {
      certificates = await sharedStores();
      cluster = await start();
      await certificates.jks('client');
    });
    after(() => cluster.stop());

    for (const listener of ['JKS', 'PKCS12'] as const)
      it(`[A9] [B2] a broker with ${listener} stores and a client with a JKS store know each other`, async () => {
        const file = (name: string): string => path.join(certificates.folder, name);
        const trust = listener === 'JKS' ? 'trust.jks' : 'trust.p12';
        const { brokerCount } = await testProfile(
          {
            bootstrap: [cluster.at(listener)],
            security: {
              protocol: 'SSL',
              tls: {
                checkHostName: true,
                authorities: { store: file(trust) },
                clientCertificate: { kind: 'pkcs12', file: file('client.jks') },
              },
            },
          },
          { passphrase, trustPassphrase: passphrase },
        );
        assert.equal(brokerCount, 1);
      });

    it('[A9] Java comes in with its own stores, and not without its key', async () => {
      const list = async (lines: readonly string[]): Promise<number> => {
        const settings = path.join(certificates.folder, `${name}.properties`);
        const { folder } = certificates;
        const trust = [`ssl.truststore.location=${folder}/trust.jks`, `ssl.truststore.password=${passphrase}`]; // prettier-ignore
        await writeFile(settings, ['security.protocol=SSL', 'default.api.timeout.ms=10000', 'request.timeout.ms=5000', ...trust, ...lines].join('\n')); // prettier-ignore
        const args = ['--bootstrap-server', cluster.at('JKS'), '--command-config', settings];
        return (await runKafkaTool('org.apache.kafka.tools.TopicCommand', [...args, '--list']))
          .code;
      };
      const key = [`ssl.keystore.location=${certificates.folder}/client.jks`, `ssl.keystore.password=${passphrase}`, `ssl.key.password=${passphrase}`]; // prettier-ignore
      assert.equal(await list(key), 0);
      assert.notEqual(await list([]), 0);
    });

    it('[A9] the name in a certificate becomes a user by the rules', async () => {
      const admin = await RawClient.open(cluster.at('PLAINTEXT'));
      const topic = freshName('mapped');
      await createTopic(admin, topic);
      const entity = [{ entityType: 'user', entityName: 'PLAIN-CLIENT' }];
      const op = { key: 'producer_byte_rate', value: 1000, remove: false };
      await admin.call('alterClientQuotas', 1, { entries: [{ entity, ops: [op] }], validateOnly: false }); // prettier-ignore
      const client = await overTls();
      const partitionData = [{ index: 0, records: batchOf(['x'.repeat(50_000)]) }];
      const topicData = [{ name: topic, partitionData }];
      let throttleMs = 0;
      // A quota takes effect a moment after it was set.
      for (let attempt = 0; attempt < 100 && throttleMs === 0; attempt++)
        throttleMs = (await client.call('produce', 9, { acks: 1, timeoutMs: 9000, topicData })).throttleTimeMs; // prettier-ignore
      assert.ok(throttleMs > 0);
      client.close();
      const ops = [{ ...op, remove: true }];
      await admin.call('alterClientQuotas', 1, { entries: [{ entity, ops }], validateOnly: false });
      admin.close();
    });

    async function overTls(): Promise<RawClient> {
      const [host = '', port] = cluster.at('JKS').split(':');
      const socket = connectTls({
        host,
        port: Number(port),
        ca: await certificates.text('ca.pem'),
        pfx: await readFile(certificates.file('client.p12')),
        passphrase,
      });
      await once(socket, 'secureConnect');
      return new RawClient(socket, 'mapped');
    }
  });

describe('A key store that cannot be used (embedded)', () => {
  const starting = async (configs: Readonly<Record<string, string>>): Promise<unknown> => {
    const listeners = 'SSL://127.0.0.1:0';
    return startCluster({ configs: { listeners, ...configs } });
  };

  it('[A9] [A13] is named at the start, with what is wrong', async () => {
    const certificates = await sharedStores();
    const store = certificates.file('ca.pem');
    await assert.rejects(
      starting({ 'ssl.keystore.location': store }),
      /ssl\.keystore\.location holds no private key/,
    );
    const [key, chain] = [certificates.text('client.key'), certificates.text('client.pem')];
    const wrong = {
      'ssl.keystore.key': await key,
      'ssl.keystore.certificate.chain': await chain,
      'ssl.key.password': 'wr0ng',
    };
    await assert.rejects(
      starting(wrong),
      /the listener SSL cannot speak TLS with what ssl\.keystore/,
    );
  });
});
