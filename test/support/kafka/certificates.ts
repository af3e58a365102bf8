// An authority for tests with what it signs, made anew by openssl: for brokers, for clients, and for no one.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../process.ts';

export interface Certificates {
  readonly folder: string;
  /** Absolute path of a file by its name: `ca.pem`, `client.pem`, `client.key`, `client.p12`, ... */
  readonly file: (name: CertificateFile) => string;
  readonly text: (name: CertificateFile) => Promise<string>;
  readonly bytes: (name: CertificateFile) => Promise<Uint8Array>;
  /** The client's or the broker's key in a JKS store, which `passphrase` opens; the key may have its own. */
  readonly jks: (of: 'client' | 'broker', keyPassphrase?: string) => Promise<Uint8Array>;
}

export type CertificateFile =
  /** The authority that brokers and clients trust, and one that nobody does. */
  | 'ca.pem'
  | 'other-ca.pem'
  /** Key and certificates of a broker on this machine, and of one elsewhere.example. */
  | 'broker.keystore.pem'
  | 'elsewhere.keystore.pem'
  /** The same of one whose time is over. */
  | 'expired.keystore.pem'
  /** A client's, its key encrypted with `passphrase`; and the same in PKCS12. */
  | 'client.pem'
  | 'client.key'
  | 'client.p12'
  /** A client's that the brokers do not know. */
  | 'stranger.pem'
  | 'stranger.key';

/** Of the client's key and of its PKCS12 store. */
export const passphrase = 'open sesame, please';

/** Of `broker.p12`, once `jks` was asked for the broker's. */
export const brokerStorePassphrase = 'x-of-broker';

/** Made in a folder that goes with the process. */
export async function makeCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kafka-certificates-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const openssl = makerIn(folder);
  await Promise.all([authority(openssl, 'ca'), authority(openssl, 'other-ca')]);
  await Promise.all([
    keyStore(openssl, 'broker', 'DNS:localhost,IP:127.0.0.1'),
    keyStore(openssl, 'elsewhere', 'DNS:elsewhere.example'),
    keyStore(openssl, 'expired', 'IP:127.0.0.1', 0),
    client(openssl),
    signed(openssl, 'stranger', { names: 'DNS:client', by: 'other-ca' }),
  ]);
  const file = (name: CertificateFile): string => path.join(folder, name);
  return {
    folder,
    file,
    text: (name) => readFile(file(name), 'utf8'),
    bytes: (name) => readFile(file(name)),
    jks: (of, keyPassphrase) => javaStore(folder, of, keyPassphrase),
  };
}

async function javaStore(
  folder: string,
  of: 'client' | 'broker',
  keyPassphrase = passphrase,
): Promise<Uint8Array> {
  const [target, sourcePassphrase] = [
    `${of}.jks`,
    of === 'broker' ? brokerStorePassphrase : passphrase,
  ];
  const openssl = makerIn(folder);
  if (of === 'broker')
    await openssl(
      `pkcs12 -export -inkey broker.key -in broker.pem -passout pass:${sourcePassphrase} -out broker.p12`,
    );
  await rm(path.join(folder, target), { force: true });
  const { code, stdout } = await run(
    'keytool',
    [
      ...['-importkeystore', '-noprompt', '-srckeystore', `${of}.p12`, '-srcstoretype', 'PKCS12'],
      ...['-destkeystore', target, '-deststoretype', 'JKS', '-srcalias', '1'],
      ...['-srcstorepass', sourcePassphrase, '-deststorepass', passphrase],
      ...['-destkeypass', keyPassphrase],
    ],
    { cwd: folder },
  );
  if (code !== 0) throw new Error(`keytool ${stdout}`);
  return readFile(path.join(folder, target));
}

type OpenSsl = (line: string) => Promise<void>;

/** Runs `openssl` in a folder, with the arguments of a line; `+` stands for a blank in one. */
function makerIn(folder: string): OpenSsl {
  return async (line) => {
    const args = line
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll('+', ' '));
    const { code, stderr } = await run('openssl', args, { cwd: folder });
    if (code !== 0) throw new Error(`openssl ${line}\n${stderr}`);
  };
}

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';

async function authority(openssl: OpenSsl, name: string): Promise<void> {
  await openssl(
    `req -x509 ${newKey} -keyout ${name}.key -out ${name}.pem -days 3650 -subj /CN=${name}
     -addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign`,
  );
}

interface Signing {
  readonly names: string;
  readonly by?: string;
  readonly days?: number;
}

async function signed(openssl: OpenSsl, name: string, signing: Signing): Promise<void> {
  const { names, by = 'ca', days = 3650 } = signing;
  await openssl(
    `req ${newKey} -keyout ${name}.key -out ${name}.csr -subj /CN=${name} -addext subjectAltName=${names}`,
  );
  await openssl(
    `x509 -req -in ${name}.csr -CA ${by}.pem -CAkey ${by}.key -days ${days} -copy_extensions copy -out ${name}.pem`,
  );
}

/** Key and certificate in one file, as Kafka takes them with ssl.keystore.type=PEM. */
async function keyStore(
  openssl: OpenSsl,
  name: string,
  names: string,
  days?: number,
): Promise<void> {
  await signed(openssl, name, { names, ...(days !== undefined && { days }) });
  await openssl(
    `pkcs12 -export -inkey ${name}.key -in ${name}.pem -passout pass:x -out ${name}.p12`,
  );
  await openssl(`pkcs12 -in ${name}.p12 -passin pass:x -nodes -out ${name}.keystore.pem`);
}

async function client(openssl: OpenSsl): Promise<void> {
  const password = passphrase.replaceAll(' ', '+');
  await signed(openssl, 'plain-client', { names: 'DNS:client' });
  await openssl(
    `pkcs12 -export -inkey plain-client.key -in plain-client.pem -passout pass:${password} -out client.p12`,
  );
  await openssl(
    `pkcs8 -topk8 -v2 aes-256-cbc -in plain-client.key -passout pass:${password} -out client.key`,
  );
  await openssl('x509 -in plain-client.pem -out client.pem');
}
