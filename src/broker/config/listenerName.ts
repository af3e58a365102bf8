/** The name in `NAME://host:port`, which may have colons too. [SocketServerConfigs.listenerListToEndPoints] */
export function listenerNameOf(listener: string): string {
  const end = listener.lastIndexOf('://');
  return end === -1 ? listener : listener.slice(0, end);
}
