/**
 * How a connection is protected and who it says it is. TLS and SASL are the next members of this union;
 * `openSocket` and `Connection.open` are the two places that read it.
 */
export interface PlaintextSecurity {
  readonly protocol: 'PLAINTEXT';
}

export type SecurityOptions = PlaintextSecurity;

export const plaintext: SecurityOptions = { protocol: 'PLAINTEXT' };
