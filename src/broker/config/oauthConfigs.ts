import type { ConfigTable } from './configType.ts';

const handlers = 'org.apache.kafka.common.security.oauthbearer';

/** Tokens that nobody signed; Kafka's own choice where nothing is said. */
export const unsecuredValidatorClass = `${handlers}.internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler`;

/** Configs of OAUTHBEARER. [SaslConfigs, BrokerSecurityConfigs] */
export const oauthConfigs = {
  'sasl.oauthbearer.allow.unverified.audience': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether tokens may be for anybody, where expected.audience is not set.',
  },
  'sasl.oauthbearer.allow.unverified.issuer': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether anybody may have issued tokens, where expected.issuer is not set.',
  },
  'sasl.oauthbearer.clock.skew.seconds': {
    type: 'int',
    default: '30',
    documentation: 'How far the clock of who issues tokens may be from ours.',
  },
  'sasl.oauthbearer.expected.audience': {
    type: 'list',
    default: '',
    documentation: 'For whom tokens have to be (aud); one of these is enough.',
  },
  'sasl.oauthbearer.expected.issuer': {
    type: 'string',
    default: null,
    documentation: 'Who has to have issued tokens (iss).',
  },
  'sasl.oauthbearer.jwks.endpoint.refresh.ms': {
    type: 'long',
    default: '3600000',
    documentation: 'How often the keys at a http: or https: address are read anew.',
  },
  'sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms': {
    type: 'long',
    default: '10000',
    documentation:
      'No sooner are the keys read anew for a token with an unknown key, or after a failure.',
  },
  'sasl.oauthbearer.jwks.endpoint.url': {
    type: 'string',
    default: null,
    documentation: 'Where the keys are that sign tokens: file:, http: or https:.',
  },
  'sasl.oauthbearer.scope.claim.name': {
    type: 'string',
    default: 'scope',
    documentation: 'The claim with the scopes.',
  },
  'sasl.oauthbearer.sub.claim.name': {
    type: 'string',
    default: 'sub',
    documentation: 'The claim with the name of the user.',
  },
  'sasl.server.callback.handler.class': {
    type: 'class',
    default: null,
    oneOf: [unsecuredValidatorClass, `${handlers}.OAuthBearerValidatorCallbackHandler`],
    documentation:
      'For listener.name.NAME.oauthbearer: whether tokens are checked against keys. Not set: tokens that nobody signed are taken, for development.',
  },
} as const satisfies ConfigTable;
