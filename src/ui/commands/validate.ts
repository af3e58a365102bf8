/** What a person may type for names, numbers and addresses. Each answers with what is wrong, or undefined. */

/** Kafka's `Topic.MAX_NAME_LENGTH`. */
const longestTopicName = 249;

/** Kafka's rules for topic names (`org.apache.kafka.common.internals.Topic`), and that it is new. */
export function topicNameProblem(name: string, existing: readonly string[]): string | undefined {
  if (name === '') return 'A topic needs a name.';
  if (name === '.' || name === '..') return 'A topic cannot be named "." or "..".';
  if (name.length > longestTopicName) {
    return `A topic's name has at most ${longestTopicName} characters; this has ${name.length}.`;
  }
  const wrong = /[^a-zA-Z0-9._-]/u.exec(name)?.[0];
  if (wrong !== undefined) {
    return `"${wrong}" cannot be in a topic's name: letters, digits, ".", "_" and "-" can.`;
  }
  if (existing.includes(name)) return `There is a topic ${name} already.`;
  // Metric names turn periods into underscores, so brokers refuse names that differ only there.
  const collides = existing.find((other) => metricName(other) === metricName(name));
  return collides === undefined
    ? undefined
    : `Kafka cannot tell ${name} from the topic ${collides} in its metrics: "." and "_" count as the same.`;
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
  return `A whole number from ${least} to ${most}.`;
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
    return 'The address of at least one broker, such as localhost:9092.';
  }
  for (const address of addresses) {
    const match = /^(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/.exec(address);
    if (!match) return `"${address}" is not host:port, such as localhost:9092.`;
    const port = Number(match[1]);
    if (port < 1 || port > 65_535) return `${port} is no port: 1 to 65535 are.`;
  }
  return undefined;
}

export function connectionNameProblem(
  name: string,
  existing: readonly string[],
): string | undefined {
  if (name === '') return 'A connection needs a name.';
  return existing.includes(name) ? `There is a connection ${name} already.` : undefined;
}
