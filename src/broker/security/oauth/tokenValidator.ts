/** A token that holds. */
export interface ValidToken {
  /** Who it is for, without `User:`. */
  readonly principal: string;
  /** Until when, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** Says who a token is for. Rejects with a TokenRefusal. */
export type TokenValidator = (token: string) => ValidToken | Promise<ValidToken>;

/** A token does not hold. The client is told the status and the scope; the reason is for the broker's log. */
export class TokenRefusal extends Error {
  override name = 'TokenRefusal';
  /** The scope that would be needed, where it is that. */
  readonly scope: string | undefined;

  constructor(reason: string, scope?: string) {
    super(reason);
    this.scope = scope;
  }

  /** As RFC 7628 has it, and Kafka writes it. [OAuthBearerSaslServer.jsonErrorResponse] */
  get json(): string {
    return this.scope === undefined
      ? '{"status":"invalid_token"}'
      : `{"status":"insufficient_scope", "scope":"${this.scope}"}`;
  }
}
