import { tokenProfileOf } from '../connections/profileSecurity.ts';
import { type ConnectionFacts, lines, toSave, variables } from './facts.ts';
import { librdkafkaProperties, type Property, usesScram } from './librdkafka.ts';

export function pythonSettings(facts: ConnectionFacts): string {
  const pairs = librdkafkaProperties(facts).map(([name, value]) => [name, expression(value)]);
  if (tokenProfileOf(facts.security)?.kind === 'fixed') {
    const token = environment(variables.token);
    pairs.push(['oauth_cb', `lambda _: (${token}, time.time() + 3600)`]);
  }
  const usesEnvironment = pairs.some(([, value]) => value?.includes('os.environ['));
  const usesTime = pairs.some(([, value]) => value?.includes('time.time('));
  return lines([
    ...[...toSave(facts), ...notTaken(facts)].map((comment) => `# ${comment}`),
    ...(usesEnvironment ? ['import os'] : []),
    ...(usesTime ? ['import time'] : []),
    ...(usesEnvironment ? [''] : []),
    'config = {',
    ...pairs.map(([name, value]) => `    "${name}": ${value},`),
    '}',
  ]);
}

function notTaken(facts: ConnectionFacts): string[] {
  return usesScram(facts) ? ['Kafka 4 takes SCRAM from confluent-kafka 2.6.1 on.'] : [];
}

function expression(value: Property[1]): string {
  return typeof value === 'string' ? JSON.stringify(value) : environment(value.variable);
}

function environment(name: string): string {
  return `os.environ[${JSON.stringify(name)}]`;
}
