import { tokenProfileOf } from '../connections/profileSecurity.ts';
import { shellWord } from '../shellWord.ts';
import { type ConnectionFacts, lines, toSave, variables } from './facts.ts';
import { librdkafkaProperties, type Property, usesScram } from './librdkafka.ts';

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

function notTaken(facts: ConnectionFacts): string[] {
  const token = tokenProfileOf(facts.security)?.kind;
  if (token === 'fixed') {
    return [`kcat takes no token as it is, as one in ${variables.token}: it has to get its own.`];
  }
  if (token === 'clientCredentials') {
    return ['kcat gets tokens where kcat -V has oidc among its features.'];
  }
  return usesScram(facts)
    ? ['Kafka 4 takes SCRAM from librdkafka 2.6.1 on: kcat -V says which one it has.']
    : [];
}
