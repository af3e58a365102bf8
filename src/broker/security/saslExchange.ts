/** The server's side of one SASL exchange. */
export interface SaslExchange {
  /** Takes what the client sent. Throws a SaslRefusal. */
  step(token: Buffer): SaslStep;
}

export interface SaslStep {
  readonly token: Buffer;
  /** Who it is, once that is known. */
  readonly user?: string;
}

/** The client is not who it says it is, or does not follow the mechanism; the message goes to the client. */
export class SaslRefusal extends Error {
  override name = 'SaslRefusal';
}
