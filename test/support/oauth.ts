// Who issues tokens: keys, tokens of every kind, and a small authorization server over real HTTP.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';

const algorithm = 'RS256';

export const issuer = 'https://issuer.example';
export const audience = 'kafka';

/** Of whom the token endpoint knows. */
export const application = { clientId: 'orders', clientSecret: 's3cret: of+orders' } as const;

interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** What a client asked the token endpoint for. */
export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly form: URLSearchParams;
}

export interface AuthorizationServer {
  /** `http://127.0.0.1:PORT/token` */
  readonly tokenUrl: string;
  readonly jwksUrl: string;
  /** A file with the same keys. */
  readonly jwksFileUrl: string;
  readonly requests: readonly TokenRequest[];
  /** How long the tokens that it issues hold. */
  tokenLifetimeSeconds: number;
  /** Signed by the key that is in force. */
  sign(claims: JWTPayload, header?: { readonly kid?: string }): Promise<string>;
  /** Signed by a key that is not published. */
  signStrangely(claims: JWTPayload): Promise<string>;
  /** From now on another key signs, which is published beside the others. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
}

export interface AuthorizationServerOptions {
  /** Serves `https:` with this key and certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export async function startAuthorizationServer({
  tls,
}: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'oauth-'));
  const first = await newKey('one');
  const stranger = await newKey('one');
  const published = [first];
  const requests: TokenRequest[] = [];
  const jwksFile = path.join(folder, 'jwks.json');
  const jwks = (): string => JSON.stringify({ keys: published.map(({ jwk }) => jwk) });
  await writeFile(jwksFile, jwks());

  const server = await serve(tls, async (request) => {
    if (request.url === '/jwks') return { status: 200, body: jwks() };
    const asked = { authorization: request.headers.authorization, form: await formOf(request) };
    requests.push(asked);
    return answer(asked, self);
  });
  const { port } = server.address() as AddressInfo;
  const base = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const self: AuthorizationServer = {
    tokenUrl: `${base}/token`,
    jwksUrl: `${base}/jwks`,
    jwksFileUrl: pathToFileURL(jwksFile).href,
    requests,
    tokenLifetimeSeconds: 3600,
    sign: (claims, header = {}) => sign(published.at(-1) ?? first, claims, header),
    signStrangely: (claims) => sign(stranger, claims, {}),
    async rotate() {
      published.push(await newKey(`key ${published.length}`));
      await writeFile(jwksFile, jwks());
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return self;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function serve(
  tls: AuthorizationServerOptions['tls'],
  answerTo: (request: IncomingMessage) => Promise<Answer>,
): Promise<Server> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    void answerTo(request).then(({ status, body }) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    });
  };
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return server;
}

async function answer(
  { authorization, form }: TokenRequest,
  server: AuthorizationServer,
): Promise<Answer> {
  const { clientId, clientSecret } = application;
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (authorization !== expected)
    return {
      status: 401,
      body: '{"error":"invalid_client","error_description":"no such application"}',
    };
  if (form.get('grant_type') !== 'client_credentials')
    return { status: 400, body: '{"error":"unsupported_grant_type"}' };
  const lifetime = server.tokenLifetimeSeconds;
  const scope = form.get('scope') ?? 'read';
  const claims = { ...lasting(lifetime), sub: clientId, scope: scope.split(' ') };
  const token = await server.sign({ ...claims, iss: issuer, aud: audience });
  return {
    status: 200,
    body: JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: lifetime }),
  };
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
  return new URLSearchParams(body);
}

async function newKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: algorithm } };
}

function sign(
  { privateKey, jwk }: SigningKey,
  claims: JWTPayload,
  header: { readonly kid?: string },
): Promise<string> {
  const { kid = jwk.kid ?? '' } = header;
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);
}

/** Claims of a token that is issued now and holds for so long. */
export function lasting(seconds: number): { iat: number; exp: number } {
  const iat = Math.floor(Date.now() / 1000);
  return { iat, exp: iat + seconds };
}

/** A token that nobody signed, with this header and these claims. */
export function unsecured(claims: unknown, header: unknown = { alg: 'none' }): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.`;
}
