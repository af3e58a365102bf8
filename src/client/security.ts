/**
 * How a connection is protected and who it says it is: the four values of security.protocol. These values
 * hold secrets, so they are made when a connection is needed and are never stored, logged or shown.
 */
export type SecurityOptions =
  | { readonly protocol: 'PLAINTEXT' }
  | { readonly protocol: 'SSL'; readonly tls: TlsOptions }
  | { readonly protocol: 'SASL_PLAINTEXT'; readonly sasl: SaslOptions }
  | { readonly protocol: 'SASL_SSL'; readonly tls: TlsOptions; readonly sasl: SaslOptions };

export type SecurityProtocol = SecurityOptions['protocol'];

export const securityProtocols = [
  'PLAINTEXT',
  'SSL',
  'SASL_PLAINTEXT',
  'SASL_SSL',
] as const satisfies readonly SecurityProtocol[];

export interface TlsOptions {
  /** Certificates in PEM that are trusted, and no others. Left out: those of the system and of Mozilla. */
  readonly authorities?: string;
  /** What the client shows of itself, where the broker asks (ssl.client.auth). */
  readonly clientCertificate?: ClientCertificate;
  /** False: any name in a trusted certificate will do, as an empty ssl.endpoint.identification.algorithm says. */
  readonly checkHostName: boolean;
  /** Asked for (SNI) and checked instead of the address's host, where a tunnel or an IP address is in between. */
  readonly serverName?: string;
}

export type ClientCertificate =
  | {
      readonly kind: 'pem';
      /** The certificate first, then those that lead to its authority. */
      readonly certificate: string;
      readonly key: string;
      readonly passphrase?: string;
    }
  | { readonly kind: 'pkcs12'; readonly store: Uint8Array; readonly passphrase?: string };

export const passwordMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
export const saslMechanisms = [...passwordMechanisms, 'OAUTHBEARER'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];

export type SaslOptions = PasswordOptions | OAuthOptions;

export interface PasswordOptions {
  readonly mechanism: (typeof passwordMechanisms)[number];
  readonly username: string;
  readonly password: string;
}

export interface OAuthOptions {
  readonly mechanism: 'OAUTHBEARER';
  readonly token: TokenSource;
  /** What brokers are told beside the token, such as `logicalCluster`. [KIP-342] */
  readonly extensions?: Readonly<Record<string, string>>;
}

/** Where the token comes from that says who is there. */
export type TokenSource =
  | ClientCredentials
  | { readonly kind: 'fixed'; readonly token: string }
  /** A token that nobody signs, for brokers that take such. [KIP-255] */
  | { readonly kind: 'unsecured'; readonly principal: string; readonly scope?: string };

/** A token endpoint, and what it knows the application by. [RFC 6749 4.4, KIP-768] */
export interface ClientCredentials {
  readonly kind: 'clientCredentials';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  /** More fields of the request, such as `audience`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** As `sasl.oauthbearer.header.urlencode`: RFC 6749 says yes, Kafka no, and most endpoints do not mind. */
  readonly encodesHeader?: boolean;
  /** Certificates in PEM that are trusted for the endpoint. Left out: those of the system and of Mozilla. */
  readonly authorities?: string;
}

export const plaintext: SecurityOptions = { protocol: 'PLAINTEXT' };

export function tlsOf(security: SecurityOptions): TlsOptions | undefined {
  return 'tls' in security ? security.tls : undefined;
}

export function saslOf(security: SecurityOptions): SaslOptions | undefined {
  return 'sasl' in security ? security.sasl : undefined;
}
