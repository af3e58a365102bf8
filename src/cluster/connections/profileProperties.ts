import path from 'node:path';
import { t } from '../../base/l10n.ts';
import { type SaslMechanism, saslMechanisms, securityProtocols } from '../../client/security.ts';
import { type JaasLogin, parseJaas } from './jaas.ts';
import { oauthProfile, type PropertyReader } from './oauthProperties.ts';
import { certificatesIn, privateKeyIn } from './pem.ts';
import { parseProperties, type PropertyLine } from './javaProperties.ts';
import type { ProfileSecrets } from './profileSecrets.ts';
import type {
  ClientCertificateProfile,
  AuthoritySource,
  SaslProfile,
  SecurityProfile,
  TlsProfile,
} from './profileSecurity.ts';

/** A connection as a client's configuration describes it. */
export interface ImportedConnection {
  readonly bootstrap: readonly string[];
  readonly security: SecurityProfile;
  readonly secrets: ProfileSecrets;
  /** Lines that say nothing here, or something that cannot be done here, and why. */
  readonly ignored: readonly IgnoredLine[];
}

export interface IgnoredLine {
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly reason: string;
}

/**
 * Reads the configuration of a Java client or of librdkafka, which name most things alike; or only a line of
 * addresses. Relative file names are taken from `folder`. Throws, in words, where there is no address.
 */
export function importProperties(text: string, folder?: string): ImportedConnection {
  if (isAddressList(text)) {
    return {
      bootstrap: addressesIn(text),
      security: { protocol: 'PLAINTEXT' },
      secrets: {},
      ignored: [],
    };
  }
  return new Import(parseProperties(text), folder).connection();
}

/** Takes from the lines what it asks for; what nobody has asked for at the end is ignored, with the reason. */
class Import {
  readonly #lines: ReadonlyMap<string, PropertyLine>;
  readonly #unused: Set<string>;
  readonly #reasons = new Map<string, string>();
  readonly #folder: string | undefined;
  readonly #secrets: { -readonly [Name in keyof ProfileSecrets]: ProfileSecrets[Name] } = {};

  constructor(lines: readonly PropertyLine[], folder: string | undefined) {
    // As java.util.Properties has it, the last line of a name counts.
    this.#lines = new Map(lines.map((line) => [line.name, line]));
    this.#unused = new Set(this.#lines.keys());
    this.#folder = folder;
  }

  connection(): ImportedConnection {
    const bootstrap = addressesIn(this.#take('bootstrap.servers', 'metadata.broker.list') ?? '');
    if (bootstrap.length === 0) {
      throw new Error(
        t('There is no line bootstrap.servers=host:port in it, so it names no cluster.'),
      );
    }
    const security = this.#security();
    return { bootstrap, security, secrets: this.#secrets, ignored: this.#ignored() };
  }

  #security(): SecurityProfile {
    const given = this.#take('security.protocol')?.toUpperCase();
    const protocol = securityProtocols.find((candidate) => candidate === given) ?? 'PLAINTEXT';
    if (given !== undefined && given !== protocol) {
      this.#ignore(
        'security.protocol',
        t('{0} is none of {1}', given, securityProtocols.join(', ')),
      );
    }
    switch (protocol) {
      case 'PLAINTEXT':
        return { protocol };
      case 'SSL':
        return { protocol, tls: this.#tls() };
      case 'SASL_PLAINTEXT':
        return { protocol, sasl: this.#sasl() };
      case 'SASL_SSL':
        return { protocol, tls: this.#tls(), sasl: this.#sasl() };
    }
  }

  #sasl(): SaslProfile {
    const config = this.#take('sasl.jaas.config');
    const login = config === undefined ? undefined : parseJaas(config);
    if (config !== undefined && login === undefined) {
      this.#ignore(
        'sasl.jaas.config',
        t('only PlainLoginModule, ScramLoginModule and OAuthBearerLoginModule are known here'),
      );
    }
    const mechanism = this.#mechanism(login?.kind);
    if (mechanism === 'OAUTHBEARER') return oauthProfile(this.#reader, login);
    const username = this.#take('sasl.username') ?? login?.options.get('username') ?? '';
    const given = this.#take('sasl.password');
    const password = given ?? login?.options.get('password');
    const line = given === undefined ? 'sasl.jaas.config' : 'sasl.password';
    if (password !== undefined) this.#keep('password', line, password);
    return { mechanism, username };
  }

  get #reader(): PropertyReader {
    return {
      take: (...names) => this.#take(...names),
      takeFile: (name) => this.#takeFile(name),
      fileAt: (file) => this.#fileAt(file),
      keep: (secret, name, value) => this.#keep(secret, name, value),
      ignore: (name, reason) => this.#ignore(name, reason),
    };
  }

  #mechanism(login: JaasLogin['kind'] | undefined): SaslMechanism {
    const given = this.#take('sasl.mechanism', 'sasl.mechanisms')?.toUpperCase();
    const known = saslMechanisms.find((candidate) => candidate === given);
    if (known) return known;
    const assumed = login === undefined ? 'PLAIN' : assumedMechanisms[login];
    if (given !== undefined) {
      const reason = t(
        '{0} is none of {1}; {2} is taken',
        given,
        saslMechanisms.join(', '),
        assumed,
      );
      this.#ignore('sasl.mechanism', reason);
    }
    return assumed;
  }

  #tls(): TlsProfile {
    const algorithm = this.#take('ssl.endpoint.identification.algorithm');
    const authorities = this.#authorities();
    const clientCertificate = this.#clientCertificate();
    const passphrase = this.#take('ssl.key.password');
    if (passphrase !== undefined && clientCertificate) {
      this.#keep('passphrase', 'ssl.key.password', passphrase);
    }
    return {
      checkHostName: algorithm === undefined || /^https$/i.test(algorithm.trim()),
      ...(authorities && { authorities }),
      ...(clientCertificate && { clientCertificate }),
    };
  }

  #authorities(): AuthoritySource | undefined {
    const pem = certificatesIn(this.#take('ssl.truststore.certificates', 'ssl.ca.pem') ?? '');
    if (pem !== undefined) return { pem };
    const file = this.#takeFile('ssl.ca.location');
    if (file !== undefined) return { file };
    const type = this.#take('ssl.truststore.type');
    const store = this.#takeFile('ssl.truststore.location');
    const password = this.#take('ssl.truststore.password');
    if (store === undefined) return undefined;
    if (type?.toUpperCase() === 'PEM' || /\.(pem|crt|cer)$/i.test(store)) return { file: store };
    if (password !== undefined) this.#keep('trustPassphrase', 'ssl.truststore.password', password);
    return { store };
  }

  #clientCertificate(): ClientCertificateProfile | undefined {
    const chain = certificatesIn(
      this.#take('ssl.keystore.certificate.chain', 'ssl.certificate.pem') ?? '',
    );
    const key = privateKeyIn(this.#take('ssl.keystore.key', 'ssl.key.pem') ?? '');
    if (chain !== undefined && key !== undefined) {
      this.#keep('privateKey', 'ssl.keystore.key', key);
      return { kind: 'pem', certificate: { pem: chain } };
    }
    const certificateFile = this.#takeFile('ssl.certificate.location');
    const keyFile = this.#takeFile('ssl.key.location');
    if (certificateFile !== undefined && keyFile !== undefined) {
      return { kind: 'pem', certificate: { file: certificateFile }, keyFile };
    }
    return this.#keyStore();
  }

  #keyStore(): ClientCertificateProfile | undefined {
    const type = this.#take('ssl.keystore.type')?.toUpperCase();
    const file = this.#takeFile('ssl.keystore.location');
    const password = this.#take('ssl.keystore.password');
    if (file === undefined) return undefined;
    // A PEM store is key and certificates in one file. [DefaultSslEngineFactory]
    if (type === 'PEM') return { kind: 'pem', certificate: { file }, keyFile: file };
    if (password !== undefined) this.#keep('passphrase', 'ssl.keystore.password', password);
    return { kind: 'pkcs12', file };
  }

  /** The value of the first of the names that there is. */
  #take(...names: readonly string[]): string | undefined {
    let value: string | undefined;
    for (const name of names) {
      this.#unused.delete(name);
      value ??= this.#lines.get(name)?.value;
    }
    return value;
  }

  #takeFile(name: string): string | undefined {
    const file = this.#take(name);
    return file === undefined || file === '' ? undefined : this.#fileAt(file);
  }

  #fileAt(file: string): string {
    return this.#folder === undefined || file.startsWith('~')
      ? file
      : path.resolve(this.#folder, file);
  }

  #keep(secret: keyof ProfileSecrets, name: string, value: string): void {
    // Such as ${env:PASSWORD}, which a provider fills in where the client runs.
    if (/^\$\{.*\}$/.test(value)) {
      this.#ignore(
        name,
        t('it only says where the secret is to be taken from: give it in the connection'),
      );
    } else if (value !== '') {
      this.#secrets[secret] = value;
    }
  }

  #ignore(name: string, reason: string): void {
    this.#reasons.set(name, reason);
  }

  #ignored(): IgnoredLine[] {
    for (const name of this.#unused)
      this.#reasons.set(name, t('it has no meaning for the workbench'));
    return [...this.#reasons].map(([name, reason]) => ({
      line: this.#lines.get(name)?.line ?? 0,
      name,
      reason,
    }));
  }
}

/** What a login module is for, where nothing else says it. */
const assumedMechanisms: Readonly<Record<JaasLogin['kind'], SaslMechanism>> = {
  Plain: 'PLAIN',
  Scram: 'SCRAM-SHA-256',
  OAuthBearer: 'OAUTHBEARER',
};

function isAddressList(text: string): boolean {
  const addresses = addressesIn(text);
  return addresses.length > 0 && addresses.every((address) => /^[^=\s]+:\d+$/.test(address));
}

function addressesIn(text: string): string[] {
  return text
    .split(/[,\s]+/)
    .map((address) => address.replace(/^(?:PLAINTEXT|SSL|SASL_PLAINTEXT|SASL_SSL):\/\//, ''))
    .filter(Boolean);
}
