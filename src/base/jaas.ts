/** One login module of a JAAS configuration, as `sasl.jaas.config` has it. */
export interface JaasEntry {
  /** The class, such as `org.apache.kafka.common.security.plain.PlainLoginModule`. */
  readonly module: string;
  readonly options: ReadonlyMap<string, string>;
}

/**
 * Reads `MODULE required name="value" ...;`. Undefined: it cannot be read. Quoting is that of Java's
 * StreamTokenizer. [JaasConfig]
 */
export function parseJaasEntry(config: string): JaasEntry | undefined {
  const head = /^\s*([\w.$]+)\s+(?:required|requisite|sufficient|optional)\b/i.exec(config);
  const [whole = '', module] = head ?? [];
  return module === undefined
    ? undefined
    : { module, options: optionsIn(config.slice(whole.length)) };
}

function optionsIn(text: string): Map<string, string> {
  const pairs = text.matchAll(
    /(?<![^\s;])([^\s=;"']+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s;]+))/g,
  );
  return new Map(
    [...pairs].map(([, name = '', double, single, bare]) => {
      const quoted = double ?? single;
      return [name, quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''];
    }),
  );
}
