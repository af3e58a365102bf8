import { t } from '../../base/l10n.ts';
import type { ConnectionFacts } from './facts.ts';
import { goSettings } from './go.ts';
import { javaSettings, propertiesSettings, springSettings } from './java.ts';
import { kcatSettings } from './kcat.ts';
import { nodeSettings } from './node.ts';
import { pythonSettings } from './python.ts';

/** What an application needs to say to connect, in the words of its own client. */

export const clientKinds = [
  'node',
  'java',
  'spring',
  'python',
  'go',
  'kcat',
  'properties',
] as const;
export type ClientKind = (typeof clientKinds)[number];

/** How each kind is called in a list for people. */
export function clientKindLabel(kind: ClientKind): string {
  return kind === 'properties' ? t('client.properties (command-line tools)') : clients[kind];
}

const clients: Readonly<Record<Exclude<ClientKind, 'properties'>, string>> = {
  node: 'Node.js (kafkajs)',
  java: 'Java (kafka-clients)',
  spring: 'Spring Boot (application.yml)',
  python: 'Python (confluent-kafka)',
  go: 'Go (franz-go)',
  kcat: 'kcat',
};

const writers: Readonly<Record<ClientKind, (facts: ConnectionFacts) => string>> = {
  node: nodeSettings,
  java: javaSettings,
  spring: springSettings,
  python: pythonSettings,
  go: goSettings,
  kcat: kcatSettings,
  properties: propertiesSettings,
};

/** The settings as source or configuration text, ending with a line break. */
export function clientSettings(kind: ClientKind, facts: ConnectionFacts): string {
  return writers[kind](facts);
}
