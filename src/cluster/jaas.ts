/** Who logs in, by a line of `sasl.jaas.config`. */
export interface JaasLogin {
  readonly isScram: boolean;
  readonly username?: string;
  readonly password?: string;
}

/**
 * Reads `...PlainLoginModule required username="a" password="b";`, or the same with ScramLoginModule. Undefined:
 * it is for another module, or cannot be read. Quoting is that of Java's StreamTokenizer. [JaasConfig]
 */
export function parseJaas(config: string): JaasLogin | undefined {
  const match =
    /^\s*([\w.$]+)\s+(?:required|requisite|sufficient|optional)\b([\s\S]*?);?\s*$/i.exec(config);
  const module = /(Plain|Scram)LoginModule$/.exec(match?.[1] ?? '')?.[1];
  if (match === null || module === undefined) return undefined;
  const options = optionsIn(match[2] ?? '');
  const username = options.get('username');
  const password = options.get('password');
  return {
    isScram: module === 'Scram',
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

function optionsIn(text: string): Map<string, string> {
  const pairs = text.matchAll(
    /([\w.]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s;]+))/g,
  );
  return new Map(
    [...pairs].map(([, name = '', double, single, bare]) => {
      const quoted = double ?? single;
      return [name, quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''];
    }),
  );
}
