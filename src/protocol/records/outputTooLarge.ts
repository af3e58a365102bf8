/** More would come out of a decompression than the caller allows; the code is that of `node:zlib`. */
export class OutputTooLargeError extends Error {
  override name = 'OutputTooLargeError';
  readonly code = 'ERR_BUFFER_TOO_LARGE';
}
