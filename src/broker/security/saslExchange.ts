/** The server's side of one SASL exchange. */
export interface SaslExchange {
  /** Takes what the client sent. Throws a SaslRefusal, or InvalidCredentials. */
  step(token: Buffer): SaslStep | Promise<SaslStep>;
}

export interface SaslStep {
  readonly token: Buffer;
  /** Who it is, once that is known. */
  readonly user?: string;
  /** For how long the credential itself holds, in ms; left out: for ever. */
  readonly lifetimeMs?: number;
}

/** The client is not who it says it is, or does not follow the mechanism; the message goes to the client. */
export class SaslRefusal extends Error {
  override name = 'SaslRefusal';
}

/** Nothing is said of what was wrong: it would help those who guess. */
export class InvalidCredentials extends Error {
  override name = 'InvalidCredentials';

  constructor() {
    super('invalid credentials');
  }
}

/** Something else was asked between tokens: the client is told so, and then its connection closes. */
export class IllegalSaslState extends Error {
  override name = 'IllegalSaslState';

  constructor(api: string) {
    super(`${api} came between the tokens of a client that is not authenticated yet`);
  }
}
