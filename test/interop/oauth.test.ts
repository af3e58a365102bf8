// Other people's clients with OAUTHBEARER and with sessions that end: let in and kept out by both brokers alike.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, describe, it } from 'mocha';
import { clientSettings } from '../../src/cluster/clientSettings/clientSettings.ts';
import { kafkaHome } from '../support/kafka/home.ts';
import { javaArguments, runKafkaTool } from '../support/kafka/java.ts';
import { application, type AuthorizationServer } from '../support/oauth.ts';
import {
  type OAuthCluster,
  oauthClusters,
  sharedAuthorizationServer,
  user,
} from '../support/oauthClusters.ts';
import { run } from '../support/process.ts';
import { runWithConfluent, withConfluentsLibrary } from './support/python.ts';

for (const { name, start } of oauthClusters)
  describe(`clients with tokens (${name})`, function () {
    this.timeout(120_000);
    let cluster: OAuthCluster;
    let issued: AuthorizationServer;
    let folder: string;

    before(async () => {
      issued = await sharedAuthorizationServer();
      cluster = await start();
      folder = await mkdtemp(path.join(tmpdir(), 'oauth-clients-'));
    });
    after(async () => {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const credentials = () => ({ kind: 'clientCredentials', tokenUrl: issued.tokenUrl, clientId: application.clientId }) as const; // prettier-ignore

    it('[A9] librdkafka comes in with a token that nobody signed, if its scope is right', async () => {
      const list = async (config: string): Promise<string> => {
        const at = cluster.at('UNSECURED');
        const settings = ['security.protocol=sasl_plaintext', 'sasl.mechanism=OAUTHBEARER', 'enable.sasl.oauthbearer.unsecure.jwt=true', `sasl.oauthbearer.config=${config}`]; // prettier-ignore
        const args = ['-L', '-m', '3', '-b', at, ...settings.flatMap((each) => ['-X', each])];
        const { code, stdout, stderr } = await run('kcat', args);
        return code === 0 ? (/broker 1 at \S+/.exec(stdout)?.[0] ?? stdout) : stderr;
      };
      assert.equal(
        await list('principal=alice scope=read'),
        `broker 1 at ${cluster.at('UNSECURED')}`,
      );
      assert.match(await list('principal=alice'), /insufficient_scope/);
      const token = { kind: 'unsecured', principal: 'alice', scope: 'read' } as const;
      const copied = clientSettings('kcat', {
        bootstrap: [cluster.at('UNSECURED')],
        security: { protocol: 'SASL_PLAINTEXT', sasl: { mechanism: 'OAUTHBEARER', token } },
      });
      assert.match((await run('bash', ['-c', copied])).stdout, /^ 1 brokers:$/m);
    });

    it('[A9] [B2] Confluent’s Python client comes in by the settings that are copied for it', async () => {
      const bootstrap = [cluster.at('ISSUED')];
      const sasl = { mechanism: 'OAUTHBEARER', token: credentials() } as const;
      const security = { protocol: 'SASL_PLAINTEXT', sasl } as const;
      const program = `${clientSettings('python', { bootstrap, security })}
from confluent_kafka.admin import AdminClient
try:
    print(sorted(AdminClient(config).list_topics(timeout=float(os.environ["PATIENCE_S"])).brokers))
except Exception:
    print("kept out")
`;
      const ask = (secret: string, patience: string): Promise<string> =>
        runWithConfluent(program, { KAFKA_CLIENT_SECRET: secret, PATIENCE_S: patience });
      assert.equal(await ask(application.clientSecret, '30'), '[1]\n');
      const before = issued.requests.length;
      assert.equal(await ask('wrong', '3'), 'kept out\n');
      assert.ok(issued.requests.length > before);
    });

    it('[A9] [B2] kcat comes in by the command that is copied for it, where its librdkafka can fetch tokens', async () => {
      const bootstrap = [cluster.at('ISSUED')];
      const sasl = { mechanism: 'OAUTHBEARER', token: credentials() } as const;
      const security = { protocol: 'SASL_PLAINTEXT', sasl } as const;
      const copied = clientSettings('kcat', { bootstrap, security });
      const library = await withConfluentsLibrary();
      const list = async (secret: string, patienceS: number): Promise<string> => {
        const command = copied.replace('-L', `-L -m ${patienceS}`).replace(/^kcat/m, '$KCAT');
        const pairs = Object.entries(library).map((pair) => pair.join('='));
        const KCAT = `env ${pairs.join(' ')} kcat`;
        const env = { ...process.env, KCAT, KAFKA_CLIENT_SECRET: secret };
        return (await run('bash', ['-c', command], { env })).stdout;
      };
      assert.match(await list(application.clientSecret, 30), /^ 1 brokers:$/m);
      const before = issued.requests.length;
      assert.doesNotMatch(await list('wrong', 3), /brokers:/);
      assert.ok(issued.requests.length > before);
    });

    it('[A9] kafkajs comes in with a signed token, and with no other', async () => {
      const connect = async (token: string): Promise<void> => {
        const kafka = new Kafka({
          brokers: [cluster.at('SIGNED')],
          sasl: {
            mechanism: 'oauthbearer',
            oauthBearerProvider: () => Promise.resolve({ value: token }),
          },
          retry: { retries: 0 },
          logLevel: logLevel.NOTHING,
        });
        const admin = kafka.admin();
        await admin.connect();
        await admin.listTopics().finally(() => admin.disconnect());
      };
      const exp = Math.floor(Date.now() / 1000) + 60;
      const claims = { sub: 'orders', iat: exp - 60, exp };
      await connect(await issued.sign(claims));
      // It is told why, and only says that it was cut off.
      await assert.rejects(connect(await issued.signStrangely(claims)), /KafkaJS/);
    });

    it('[A9] Java is kept out without the right secret, and told why', async () => {
      const file = path.join(folder, 'wrong.properties');
      const sasl = { mechanism: 'OAUTHBEARER', token: credentials() } as const;
      const security = { protocol: 'SASL_PLAINTEXT', sasl } as const;
      const bootstrap = [cluster.at('ISSUED')];
      await writeFile(file, clientSettings('properties', { bootstrap, security }));
      const { code, stdout, stderr } = await runKafkaTool(
        'org.apache.kafka.tools.TopicCommand',
        ['--bootstrap-server', ...bootstrap, '--command-config', file, '--list'],
        {
          env: { ...process.env, KAFKA_CLIENT_SECRET: 'wrong' },
          jvm: [`-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${issued.tokenUrl}`],
        },
      );
      assert.notEqual(code, 0);
      assert.match(stdout + stderr, /invalid_client/);
    });

    it('[A9] Java authenticates again, session after session, with every mechanism', async () => {
      const login = 'org.apache.kafka.common.security';
      const password = `required username="${user.username}" password="${user.password}";`;
      const mechanisms = {
        PLAIN: `${login}.plain.PlainLoginModule ${password}`,
        'SCRAM-SHA-256': `${login}.scram.ScramLoginModule ${password}`,
        OAUTHBEARER: `${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="alice";`,
      };
      const files: string[] = [];
      for (const [mechanism, jaas] of Object.entries(mechanisms)) {
        const file = path.join(folder, `${mechanism}.properties`);
        await writeFile(file, `bootstrap.servers=${cluster.at('SHORT')}\nsecurity.protocol=SASL_PLAINTEXT\nsasl.mechanism=${mechanism}\nsasl.jaas.config=${jaas}\nlinger.ms=0\n`); // prettier-ignore
        files.push(file);
      }
      const source = path.join(import.meta.dirname, '../support/java/Reauthentication.java');
      const java = javaArguments(await kafkaHome(), source);
      const { code, stdout, stderr } = await run('java', [...java, `again-${Date.now()}`, ...files], { timeoutMs: 90_000 }); // prettier-ignore
      assert.equal(code, 0, stderr);
      assert.deepEqual(stdout.trim().split('\n').sort(), ['OAUTHBEARER again', 'PLAIN again', 'SCRAM-SHA-256 again']); // prettier-ignore
    });
  });
