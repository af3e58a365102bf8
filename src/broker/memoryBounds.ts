/**
 * What a broker keeps in memory of requests and of fetched records, whatever its clients do. Requests may pass the
 * bound by one of the largest size (`socket.request.max.bytes`), which would never get in otherwise, and by the
 * free bytes of each connection; fetched records by one batch a connection.
 */
export const memoryBounds = {
  requestBytes: 64 << 20,
  fetchedBytes: 64 << 20,
  /** What clients need not say again with each fetch, by estimate. */
  fetchSessionBytes: 64 << 20,
  /** A connection that holds no more is always read, so that small requests get through. */
  freeBytesPerConnection: 64 << 10,
  /**
   * Requests of no more array items are decoded as they come: some 128 KiB a connection, with what is made of them.
   * The rest is counted, and may pass the bounds below by one request.
   */
  freeItemsPerRequest: 256,
  /** What requests take once they are decoded, with what is made of them until they are answered: by estimate. */
  decoded: {
    /** The large ones. */
    boundBytes: 128 << 20,
    /** Those whose frames have no more than so many bytes, which do not wait for the large ones. */
    mediumBoundBytes: 64 << 20,
    mediumFrameBytes: 128 << 10,
    /** One that would take more is refused: there is none that a client would send. */
    mostBytesPerRequest: 256 << 20,
    /**
     * Beside what an item takes in the request: what handlers note about it, and its answer. Measured for each list of
     * each request, 40,000 items that differ: the heap after garbage collection, while the request is decoded, worked
     * on and answered. With the bytes of the frame the estimate is 1.4 times what Fetch's partitions and DeleteAcls'
     * filters take (430 and 390 bytes of 625 and 570), 1.6 times what those of Produce do, and more for all the rest.
     */
    bytesPerItem: 384,
  },
  /** Answers that clients have not taken yet; records have the bound above. */
  answers: {
    boundBytes: 64 << 20,
    /** Those whose size is not that of their requests: so many are made at a time, and may pass the bound. */
    mostAtOnce: 8,
    /** One of no more bytes is not counted. */
    freeBytes: 64 << 10,
    /** One of more is not sent: who asks for the same again and again gets what is long again and again. */
    mostBytesPerAnswer: 128 << 20,
  },
} as const;
