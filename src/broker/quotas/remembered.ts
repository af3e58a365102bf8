/** Clients whose use is remembered; ours, as client ids are anybody's to make up. */
const maxClients = 10_000;

/** What a map has for a key, made where it has none; whoever was not asked for the longest is forgotten. */
export function remembered<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size > maxClients) map.delete(oldest);
  return value;
}
