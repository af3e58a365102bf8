/** One side of a SASL exchange, as a client runs it over SaslAuthenticate. Pure: bytes in, bytes out. */
export interface SaslExchange {
  /** What the client says first. */
  first(): Buffer;
  /** Answers a challenge; undefined once the exchange is complete. Rejects where the server fails its own proof. */
  next(challenge: Uint8Array): Promise<Buffer | undefined>;
}

export interface SaslCredentials {
  readonly username: string;
  readonly password: string;
}

/** The server's part of an exchange was not what its mechanism demands. */
export class SaslError extends Error {
  override name = 'SaslError';
}
