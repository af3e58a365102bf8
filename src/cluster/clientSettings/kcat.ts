import { saslProfileOf, tokenProfileOf } from '../connections/profileSecurity.ts';
import { shellWord } from '../shellWord.ts';
import { type ConnectionFacts, lines, toSave, variables } from './facts.ts';
import { librdkafkaProperties, type Property } from './librdkafka.ts';

/** A command for bash that lists what there is; whoever copies it puts another mode in the place of `-L`. */
export function kcatSettings(facts: ConnectionFacts): string {
  const [, ...properties] = librdkafkaProperties(facts);
  const address = `kcat -b ${shellWord(facts.bootstrap.join(','))}`;
  return lines([
    ...[...toSave(facts), ...notTaken(facts)].map((comment) => `# ${comment}`),
    [address, ...properties.map(option), '-L'].join(' \\\n  '),
  ]);
}

function option([name, value]: Property): string {
  return typeof value === 'string'
    ? `-X ${shellWord(`${name}=${value}`)}`
    : `-X "${name}=$${value.variable}"`;
}

function notTaken({ security }: ConnectionFacts): string[] {
  if (tokenProfileOf(security)?.kind === 'fixed') {
    return [`kcat takes no token as it is, as one in ${variables.token}: it has to get its own.`];
  }
  // Before, it sent its nonce twice, which Kafka took until 4.0. [confluentinc/librdkafka#4895, edenhill/kcat#462]
  return saslProfileOf(security)?.mechanism.startsWith('SCRAM')
    ? ['Kafka 4 takes SCRAM from librdkafka 2.6.1 on: kcat -V says which one it has.']
    : [];
}
