import {
  type ClientCredentialsProfile,
  type OAuthProfile,
  type SecurityProfile,
  type TokenProfile,
  tokenProfileOf,
} from '../connections/profileSecurity.ts';
import { endpointAuthorityFile, variables } from './facts.ts';
import { jaasQuoted, reference } from './javaText.ts';

const tokenFile = 'file:///PATH/token.jwt';
const allowedUrls = '-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls';

/** What Java's client needs for a token, in its configuration. [KIP-255, KIP-768, KIP-1139] */
export function javaOAuthPairs({ token, extensions = {} }: OAuthProfile): [string, string][] {
  const options = [
    ...optionsOf(token),
    ...Object.entries(extensions).map(([name, value]): Option => [`extension_${name}`, value]),
  ];
  const written = options.map(([name, value]) => ` ${name}=${jaasQuoted(value)}`).join('');
  const login = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLogin';
  const jaas = `${login}Module required${written};`;
  const endpoint = endpointOf(token);
  return [
    ['sasl.mechanism', 'OAUTHBEARER'],
    ...(endpoint === undefined
      ? []
      : ([
          ['sasl.login.callback.handler.class', `${login}CallbackHandler`],
          ['sasl.oauthbearer.token.endpoint.url', endpoint],
        ] as [string, string][])),
    ...(isEncoded(token)
      ? [['sasl.oauthbearer.header.urlencode', 'true'] as [string, string]]
      : []),
    ['sasl.jaas.config', jaas],
  ];
}

/** What has to be done beside: from Kafka 4.0 on Java asks only endpoints that it is allowed to. */
export function javaOAuthComments(security: SecurityProfile): string[] {
  const token = tokenProfileOf(security);
  const endpoint = token && endpointOf(token);
  if (token === undefined || endpoint === undefined) return [];
  return [
    `Start Java with ${allowedUrls}=${endpoint}`,
    ...(token.kind === 'fixed' ? [`Save the token as ${tokenFile.slice('file://'.length)}.`] : []),
    ...(token.kind === 'clientCredentials' && token.fields
      ? [
          `Java cannot send more fields to the token endpoint: ${Object.keys(token.fields).join(', ')}`,
        ]
      : []),
  ];
}

type Option = readonly [name: string, value: string];

function optionsOf(token: TokenProfile): Option[] {
  switch (token.kind) {
    case 'fixed':
      return [];
    case 'unsecured':
      return [
        ['unsecuredLoginStringClaim_sub', token.principal],
        ...(token.scope ? [['unsecuredLoginListClaim_scope', ` ${token.scope}`] as Option] : []),
      ];
    case 'clientCredentials':
      return [
        ['clientId', token.clientId],
        ['clientSecret', reference(variables.clientSecret)],
        ...(token.scope ? [['scope', token.scope] as Option] : []),
        ...trustOptions(token),
      ];
  }
}

function trustOptions(token: ClientCredentialsProfile): Option[] {
  const { authorities } = token;
  if (authorities === undefined) return [];
  if ('store' in authorities) {
    return [
      ['ssl.truststore.type', 'PKCS12'],
      ['ssl.truststore.location', authorities.store],
      ['ssl.truststore.password', reference(variables.endpointPassphrase)],
    ];
  }
  return [
    ['ssl.truststore.type', 'PEM'],
    ['ssl.truststore.location', endpointAuthorityFile(token) ?? ''],
  ];
}

function endpointOf(token: TokenProfile): string | undefined {
  if (token.kind === 'unsecured') return undefined;
  return token.kind === 'fixed' ? tokenFile : token.tokenUrl;
}

function isEncoded(token: TokenProfile): boolean {
  return token.kind === 'clientCredentials' && token.encodesHeader === true;
}
