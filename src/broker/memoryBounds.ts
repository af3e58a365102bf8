/**
 * What a broker keeps in memory of requests and of fetched records, whatever its clients do. Requests may pass the
 * bound by one of the largest size (`socket.request.max.bytes`), which would never get in otherwise, and by the
 * free bytes of each connection; fetched records by one batch a connection.
 */
export const memoryBounds = {
  requestBytes: 64 << 20,
  fetchedBytes: 64 << 20,
  /** A connection that holds no more is always read, so that small requests get through. */
  freeBytesPerConnection: 64 << 10,
} as const;
