// Stands in for Kafka's scripts where a suite formats and starts its brokers itself: our broker, with the properties
// and the login configuration that the suite wrote for Kafka. Says what Kafka's log would, since that is waited for.
//
// ownKafka.ts format --standalone -t ID -c FILE [--add-scram CREDENTIAL]
// ownKafka.ts kafka.Kafka FILE
import { readFile, writeFile } from 'node:fs/promises';
import { brokerConfigs } from '../../../../src/broker/config/brokerConfigs.ts';
import { startEmbedded } from '../../../support/embedded.ts';
import { addCredential } from './suiteBroker.ts';

/** A listener beside those of the suite, where credentials are added. */
const INSIDE = 'INSIDE';

type Properties = Readonly<Record<string, string>>;

const [command = '', ...rest] = process.argv.slice(2);
if (command === 'format') await format(rest);
else await start(rest[0] ?? '');

/** What Kafka keeps in its formatted directory is kept beside the properties. */
async function format(args: readonly string[]): Promise<void> {
  const after = (name: string): string[] =>
    args.flatMap((arg, i) => (arg === name ? [args[i + 1] ?? ''] : []));
  const [file = ''] = after('-c');
  await writeFile(`${file}.scram`, JSON.stringify(after('--add-scram')));
}

async function start(file: string): Promise<void> {
  const properties = propertiesIn(await readFile(file, 'utf8'));
  const broker = await startEmbedded({
    config: { ...ownConfig(properties), ...(await loginConfig(properties)) },
  });
  process.once('SIGTERM', () => void broker.stop().then(() => process.exit(0)));
  const credentials = JSON.parse(await readFile(`${file}.scram`, 'utf8')) as string[];
  for (const each of credentials) {
    const { mechanism, name = '', password } = /^(?<mechanism>[\w-]+)=\[name=(?<name>\w+),password=(?<password>[^\]]+)\]$/.exec(each)?.groups ?? {}; // prettier-ignore
    await addCredential(broker.bootstrap, name, `${mechanism}=[password=${password}]`);
    console.log(`Replayed UserScramCredentialRecord creating new entry for ${name}`);
  }
  console.log(`[KafkaRaftServer nodeId=${properties['node.id']}] Kafka Server started`);
  setInterval(() => undefined, 60_000); // until SIGTERM
}

function propertiesIn(text: string): Properties {
  const lines = text.split('\n').map((line) => line.trim());
  return Object.fromEntries(
    lines
      .filter((line) => line.includes('=') && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** What our broker knows of the properties. Its controller has no listener. */
function ownConfig(properties: Properties): Properties {
  const known = Object.entries(properties).filter(
    ([name]) => Object.hasOwn(brokerConfigs, name) || name.startsWith('listener.name.'),
  );
  const forClients = (name: string): string[] =>
    (properties[name] ?? '').split(',').filter((each) => !each.startsWith('CONTROLLER:'));
  return {
    ...Object.fromEntries(known),
    listeners: [`${INSIDE}://127.0.0.1:0`, ...forClients('listeners')].join(','),
    'advertised.listeners': forClients('advertised.listeners').join(','),
    'listener.security.protocol.map': [
      `${INSIDE}:PLAINTEXT`,
      ...forClients('listener.security.protocol.map'),
    ].join(','),
  };
}

/** The login module that `java.security.auth.login.config` names for a server, as configs of ours. */
async function loginConfig(properties: Properties): Promise<Properties> {
  const [, file] = /-Djava\.security\.auth\.login\.config=(\S+)/.exec(process.env['KAFKA_OPTS'] ?? '') ?? []; // prettier-ignore
  if (file === undefined) return {};
  const [, module = ''] = /KafkaServer\s*\{\s*([^}]*?;)/.exec(await readFile(file, 'utf8')) ?? [];
  const mechanisms = (properties['sasl.enabled.mechanisms'] ?? '').toLowerCase().split(',');
  return Object.fromEntries(
    mechanisms.map((name) => [
      `listener.name.sasl_plaintext.${name}.sasl.jaas.config`,
      module.replaceAll(/\s+/g, ' '),
    ]),
  );
}
