/** What a person may type for names, numbers and addresses. Each answers with what is wrong, or undefined. */
import { t } from '../../base/l10n.ts';

/** Kafka's `Topic.MAX_NAME_LENGTH`. */
const longestTopicName = 249;

/** Kafka's rules for topic names (`org.apache.kafka.common.internals.Topic`), and that it is new. */
export function topicNameProblem(name: string, existing: readonly string[]): string | undefined {
  if (name === '') return t('A topic needs a name.');
  if (name === '.' || name === '..') return t('A topic cannot be named "." or "..".');
  if (name.length > longestTopicName) {
    return t(
      "A topic's name has at most {0} characters; this has {1}.",
      longestTopicName,
      name.length,
    );
  }
  const wrong = /[^a-zA-Z0-9._-]/u.exec(name)?.[0];
  if (wrong !== undefined) {
    return t('"{0}" cannot be in a topic\'s name: letters, digits, ".", "_" and "-" can.', wrong);
  }
  if (existing.includes(name)) return t('There is a topic {0} already.', name);
  // Metric names turn periods into underscores, so brokers refuse names that differ only there.
  const collides = existing.find((other) => metricName(other) === metricName(name));
  return collides === undefined
    ? undefined
    : t(
        'Kafka cannot tell {0} from the topic {1} in its metrics: "." and "_" count as the same.',
        name,
        collides,
      );
}

function metricName(topic: string): string {
  return topic.replaceAll('.', '_');
}

/** A whole number between two others, both allowed. */
export function countProblem(
  text: string,
  limits: { readonly least: number; readonly most: number },
): string | undefined {
  const { least, most } = limits;
  const isWhole = /^\d{1,9}$/.test(text);
  if (isWhole && Number(text) >= least && Number(text) <= most) return undefined;
  return t('A whole number from {0} to {1}.', least, most);
}

/** As many replicas as brokers at most; empty is the broker's default. */
export function replicasProblem(text: string, brokerCount: number): string | undefined {
  return text === '' ? undefined : countProblem(text, { least: 1, most: brokerCount });
}

/** Splits a `bootstrap.servers` line. */
export function parseBootstrap(text: string): string[] {
  return text
    .split(/[,\s]+/)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** A `host:port` list as clients take it; IPv6 addresses stand in brackets. */
export function bootstrapProblem(text: string): string | undefined {
  const addresses = parseBootstrap(text);
  if (addresses.length === 0) {
    return t('The address of at least one broker, such as localhost:9092.');
  }
  for (const address of addresses) {
    const match = /^(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/.exec(address);
    if (!match) return t('"{0}" is not host:port, such as localhost:9092.', address);
    const port = Number(match[1]);
    if (port < 1 || port > 65_535) return t('{0} is no port: 1 to 65535 are.', port);
  }
  return undefined;
}

export function connectionNameProblem(
  name: string,
  existing: readonly string[],
): string | undefined {
  if (name === '') return t('A connection needs a name.');
  return existing.includes(name) ? t('There is a connection {0} already.', name) : undefined;
}
