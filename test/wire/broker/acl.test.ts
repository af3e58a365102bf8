// Who is let in by ACLs, and who is not: our broker and Kafka 4.4 with the same ACLs, asked by the same clients.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import { python } from '../../interop/support/python.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { run } from '../../support/process.ts';
import { RawClient } from './support/rawClient.ts';
import { authorizerConfig, openAs, plainUsers } from './support/saslClient.ts';
import { createTopic, errorName, patienceMs } from './support/servers.ts';

const users = ['writer', 'reader', 'stranger', 'keeper'];

interface Guarded {
  /** Where everybody is a super user. */
  readonly bootstrap: string;
  /** Where clients have names. */
  readonly saslBootstrap: string;
  stop(): Promise<void>;
}

async function startOurs(dataDir?: string): Promise<Guarded> {
  const cluster: EmbeddedKafka = await startCluster({
    ...(dataDir !== undefined && { dataDir }),
    configs: {
      ...authorizerConfig,
      ...plainUsers(users),
      listeners: 'PLAINTEXT://127.0.0.1:0,SASL_PLAINTEXT://127.0.0.1:0',
    },
  });
  const { bootstrap, listeners } = cluster;
  const { SASL_PLAINTEXT: saslBootstrap = '' } = listeners;
  return { bootstrap, saslBootstrap, stop: () => cluster.stop() };
}

async function startKafkas(): Promise<Guarded> {
  const kafka = await startKafka({
    config: { ...authorizerConfig, ...plainUsers(users) },
    listeners: { SASL_PLAINTEXT: 'SASL_PLAINTEXT' },
  });
  const saslBootstrap = `127.0.0.1:${kafka.port('SASL_PLAINTEXT')}`;
  return { bootstrap: kafka.bootstrap, saslBootstrap, stop: () => kafka.stop() };
}

for (const { name, start } of [
  { name: 'embedded', start: () => startOurs() },
  { name: 'Kafka 4.4', start: startKafkas },
])
  describe(`ACLs (${name})`, function () {
    this.timeout(patienceMs);
    let server: Guarded;
    let folder: string;

    before(async () => {
      server = await start();
      folder = await mkdtemp(path.join(tmpdir(), 'acls-'));
      const client = await RawClient.open(server.bootstrap);
      await createTopic(client, 'orders');
      await createTopic(client, 'secrets');
      client.close();
    });
    after(async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    async function acls(...args: string[]): Promise<string> {
      const bootstrap = ['--bootstrap-server', server.bootstrap];
      const tool = 'org.apache.kafka.tools.AclCommand';
      const { code, stdout, stderr } = await runKafkaTool(tool, [...bootstrap, ...args]);
      assert.equal(code, 0, stdout + stderr);
      return stdout;
    }

    /** As `(principal=User:writer, host=*, operation=WRITE, permissionType=ALLOW)`. */
    async function listed(...args: string[]): Promise<string[]> {
      const text = await acls('--list', ...args);
      return [...text.matchAll(/principal=User:(\w+).*operation=(\w+).*permissionType=(\w+)/g)]
        .map(([, user, operation, permission]) => `${user} ${operation} ${permission}`)
        .sort();
    }

    /** What kcat prints, or its first complaint. */
    async function kcat(user: string, args: string[], input = ''): Promise<string> {
      const sasl = ['security.protocol=sasl_plaintext', 'sasl.mechanism=PLAIN'];
      const login = [`sasl.username=${user}`, `sasl.password=${user}`];
      const options = [...sasl, ...login].flatMap((each) => ['-X', each]);
      const all = ['-b', server.saslBootstrap, ...options, ...args];
      const { code, stdout, stderr } = await run('kcat', all, { input, timeoutMs: 60_000 });
      return code === 0 ? stdout : stderr;
    }

    async function propertiesOf(user: string): Promise<string> {
      const file = path.join(folder, `${user}.properties`);
      const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
      await writeFile(
        file,
        `security.protocol=SASL_PLAINTEXT
sasl.mechanism=PLAIN
sasl.jaas.config=${login} username="${user}" password="${user}";
`,
      );
      return file;
    }

    it('[A9] are made, listed and removed by kafka-acls', async () => {
      await acls('--add', '--allow-principal', 'User:writer', '--producer', '--topic', 'orders');
      await acls(...['--add', '--allow-principal', 'User:reader', '--consumer'], ...['--topic', 'ord', '--group', 'g', '--resource-pattern-type', 'prefixed']); // prettier-ignore
      await acls(...['--remove', '--force', '--topic', 'orders'], ...['--allow-principal', 'User:writer', '--operation', 'Create']); // prettier-ignore
      const left = ['reader DESCRIBE', 'reader READ', 'writer DESCRIBE', 'writer WRITE'];
      const match = ['--topic', 'orders', '--resource-pattern-type', 'match'];
      let found: string[] = [];
      // Kafka's controller answers before its broker has applied what was done.
      for (let attempt = 0; attempt < 20 && found.length !== left.length; attempt++)
        found = await listed(...match);
      assert.deepEqual(found, left.map((each) => `${each} ALLOW`)); // prettier-ignore
    });

    it('[A9] let librdkafka in, and keep it out', async () => {
      const failed = /Topic authorization failed/i;
      assert.match(await kcat('stranger', ['-P', '-t', 'orders'], 'no'), failed);
      assert.match(await kcat('reader', ['-P', '-t', 'orders'], 'no'), failed);
      assert.match(await kcat('writer', ['-P', '-t', 'secrets'], 'no'), failed);
      assert.equal(await kcat('writer', ['-P', '-t', 'orders'], 'first'), '');
      const toEnd = ['-C', '-t', 'orders', '-o', 'beginning', '-e', '-q'];
      assert.equal(await kcat('reader', toEnd), 'first\n');
      assert.match(await kcat('writer', toEnd), failed);
      const topics = (text: string): string[] =>
        [...text.matchAll(/topic "(\w+)"/g)].map(([, topic = '']) => topic);
      assert.deepEqual(topics(await kcat('reader', ['-L'])), ['orders']);
      assert.deepEqual(topics(await kcat('stranger', ['-L'])), []);
    });

    it('[A9] let Java in, and keep it out', async () => {
      const consume = async (user: string, group: string): Promise<string> => {
        const config = ['--command-config', await propertiesOf(user), '--group', group];
        const tool = 'org.apache.kafka.tools.consumer.ConsoleConsumer';
        const args = ['--bootstrap-server', server.saslBootstrap, '--topic', 'orders'];
        const limits = ['--from-beginning', '--max-messages', '1', '--timeout-ms', '30000'];
        const { stdout, stderr } = await runKafkaTool(tool, [...args, ...config, ...limits]);
        return /(\w+AuthorizationException): /.exec(stderr)?.[1] ?? stdout;
      };
      assert.equal(await consume('reader', 'group'), 'first\n');
      assert.equal(await consume('reader', 'other'), 'GroupAuthorizationException');
      const { stdout } = await runKafkaTool('org.apache.kafka.tools.TopicCommand', ['--bootstrap-server', server.saslBootstrap, '--command-config', await propertiesOf('reader'), '--list']); // prettier-ignore
      assert.equal(stdout, 'orders\n');
    });

    it('[A9] let kafka-python in, and keep it out', async () => {
      const program = `
import sys
from kafka import KafkaProducer
bootstrap, user, topic = sys.argv[1:]
producer = KafkaProducer(bootstrap_servers=bootstrap, security_protocol='SASL_PLAINTEXT', sasl_mechanism='PLAIN', sasl_plain_username=user, sasl_plain_password=user, retries=0, max_block_ms=30000)
try:
    producer.send(topic, b'second').get(30)
    print('in')
except Exception as error:
    print(type(error).__name__)
`;
      const produce = (user: string, topic: string): Promise<string> =>
        python(['-c', program, server.saslBootstrap, user, topic]);
      assert.equal(await produce('writer', 'orders'), 'in\n');
      assert.equal(await produce('stranger', 'orders'), 'TopicAuthorizationFailedError\n');
    });
  });

describe('ACLs of an embedded cluster', function () {
  this.timeout(patienceMs);
  let dataDir: string;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'acls-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  it('[A9] [A4] are there again after a restart (embedded)', async () => {
    const allow = { resourceName: 'orders', host: '*', operation: 4, permissionType: 3 };
    const creation = {
      ...allow,
      resourceType: 2,
      resourcePatternType: 3,
      principal: 'User:keeper',
    };
    const first = await startOurs(dataDir);
    const admin = await RawClient.open(first.bootstrap);
    await createTopic(admin, 'orders');
    const made = await admin.call('createAcls', 3, { creations: [creation, { ...creation, operation: 6 }] }); // prettier-ignore
    assert.deepEqual(made.results.map(({ errorCode }) => errorName(errorCode)), ['NONE', 'NONE']); // prettier-ignore
    const filter = { resourceTypeFilter: 2, resourceNameFilter: null, patternTypeFilter: 1, principalFilter: null, hostFilter: null, permissionType: 1 }; // prettier-ignore
    const removed = await admin.call('deleteAcls', 3, { filters: [{ ...filter, operation: 6 }] });
    assert.equal(removed.filterResults[0]?.matchingAcls.length, 1);
    admin.close();
    await first.stop();

    const second = await startOurs(dataDir);
    const keeper = await openAs(second.saslBootstrap, 'keeper');
    const { topics } = await keeper.call('metadata', 12, {
      topics: null,
      includeTopicAuthorizedOperations: true,
    });
    const writeAndDescribe = (1 << 4) | (1 << 8);
    assert.deepEqual(topics.map(({ name: topic, topicAuthorizedOperations }) => [topic, topicAuthorizedOperations]), [['orders', writeAndDescribe]]); // prettier-ignore
    keeper.close();
    await second.stop();
  });

  it('[A9] need no more than the three configs of Kafka’s (embedded)', async () => {
    const name = 'org.apache.kafka.metadata.authorizer.StandardAuthorizer';
    const configs = { 'authorizer.class.name': name, 'super.users': 'alice' };
    const wrong = startCluster({ configs });
    await assert.rejects(wrong, /super\.users: write "alice" as User:NAME/);
    const unknown = startCluster({ configs: { 'authorizer.class.name': 'com.example.Mine' } });
    await assert.rejects(unknown, /authorizer\.class\.name: it must be one of/);
  });
});
