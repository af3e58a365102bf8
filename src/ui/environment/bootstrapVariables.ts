/** The environment variables that tell an application where its cluster is. */

/**
 * Kafka's clients read no environment by themselves; these are what applications and frameworks take the
 * address from: most examples and Quarkus and Micronaut, kafkajs and sarama examples, Spring Boot.
 */
export const bootstrapVariables = [
  'KAFKA_BOOTSTRAP_SERVERS',
  'KAFKA_BROKERS',
  'SPRING_KAFKA_BOOTSTRAP_SERVERS',
] as const;

/** Each variable that is not `taken` with the address. */
export function variablesFor(
  bootstrap: string,
  taken: Iterable<string>,
): Readonly<Record<string, string>> {
  // Windows does not tell capital letters from small ones in these names.
  const names = new Set([...taken].map((name) => name.toUpperCase()));
  return Object.fromEntries(
    bootstrapVariables.filter((name) => !names.has(name)).map((name) => [name, bootstrap]),
  );
}

/** The names that a `.env` file sets. */
export function namesInEnvFile(text: string): string[] {
  return [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*=/gm)].map(
    ([, name = '']) => name,
  );
}
