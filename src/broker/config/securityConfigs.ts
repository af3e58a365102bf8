import type { ConfigTable } from './configType.ts';
import { oauthConfigs } from './oauthConfigs.ts';

/** Configs of listeners, of TLS and of SASL. [SocketServerConfigs, SslConfigs, BrokerSecurityConfigs] */
export const securityConfigs = {
  'advertised.listeners': {
    type: 'list',
    isNotEmpty: true,
    default: null,
    documentation:
      'The addresses that clients are told, as NAME://host:port, where they are not those of listeners. Port 0: the one that is listened on.',
  },
  'inter.broker.listener.name': {
    type: 'string',
    default: null,
    documentation:
      'The listener that brokers reach each other by, and that max.connections of the broker does not hold up. Not set: the one of security.inter.broker.protocol.',
  },
  'security.inter.broker.protocol': {
    type: 'string',
    oneOf: ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'],
    default: 'PLAINTEXT',
    documentation: 'The name of the listener that brokers reach each other by, by its protocol.',
  },
  listeners: {
    type: 'list',
    isNotEmpty: true,
    default: 'PLAINTEXT://:9092',
    documentation:
      'Listeners as NAME://host:port, separated by commas. Not set: one PLAINTEXT listener on the port that the cluster was started with.',
  },
  'listener.security.protocol.map': {
    type: 'string',
    default: 'SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT',
    documentation: 'The security protocol of each listener name, as NAME:PROTOCOL.',
  },
  'connection.failed.authentication.delay.ms': {
    type: 'int',
    default: '100',
    min: 0,
    documentation: 'How long a failed authentication is answered and closed later than it failed.',
  },
  'connections.max.reauth.ms': {
    type: 'long',
    default: '0',
    documentation: 'How long a SASL client stays authenticated; 0 is for ever.',
  },
  'sasl.enabled.mechanisms': {
    type: 'list',
    default: 'GSSAPI',
    oneOf: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'],
    documentation:
      'How clients may authenticate. GSSAPI, which Kafka has by itself, is not there; a broker starts with PLAIN and SCRAM.',
  },
  'sasl.jaas.config': {
    type: 'password',
    default: null,
    documentation:
      'For listener.name.NAME.plain: the users of PLAIN, as user_NAME="password" behind PlainLoginModule required. For oauthbearer: how unsecured tokens are looked at, as unsecuredValidatorPrincipalClaimName="sub".',
  },
  ...oauthConfigs,
  'sasl.server.max.receive.size': {
    type: 'int',
    default: '524288',
    min: 1,
    documentation: 'The largest request before a client has authenticated.',
  },
  'ssl.cipher.suites': {
    type: 'list',
    default: '',
    documentation:
      'The ciphers that TLS may choose from, as Java names them. Not set: all. Read at the start.',
  },
  'ssl.client.auth': {
    type: 'string',
    default: 'none',
    oneOf: ['required', 'requested', 'none'],
    documentation: 'Whether clients show a certificate.',
  },
  'ssl.enabled.protocols': {
    type: 'list',
    default: 'TLSv1.2,TLSv1.3',
    documentation:
      'The versions of TLS that connections may have: TLSv1.2, TLSv1.3 or both. Read at the start.',
  },
  'ssl.key.password': {
    type: 'password',
    default: null,
    documentation: 'Password of the private key.',
  },
  'ssl.keystore.certificate.chain': {
    type: 'password',
    default: null,
    documentation: 'The certificate and what signed it, in PEM, in place of a key store.',
  },
  'ssl.keystore.key': {
    type: 'password',
    default: null,
    documentation: 'The private key in PEM, in place of a key store.',
  },
  'ssl.keystore.location': {
    type: 'string',
    default: null,
    documentation: 'The key store: a file with key and certificates.',
  },
  'ssl.keystore.password': {
    type: 'password',
    default: null,
    documentation: 'Password of the key store.',
  },
  'ssl.keystore.type': {
    type: 'string',
    default: 'JKS',
    oneOf: ['JKS', 'PEM', 'PKCS12'],
    documentation: 'The form of the key store. JKS and PKCS12 are told apart by what is in them.',
  },
  'ssl.principal.mapping.rules': {
    type: 'string',
    default: 'DEFAULT',
    documentation:
      'How the name in a certificate becomes a user: RULE:pattern/replacement/ with L or U at the end for small or capital letters, or DEFAULT, separated by commas; the first that fits counts.',
  },
  'ssl.truststore.certificates': {
    type: 'password',
    default: null,
    documentation: 'Who may sign the certificates of clients, in PEM.',
  },
  'ssl.truststore.location': {
    type: 'string',
    default: null,
    documentation: 'A file with those who may sign the certificates of clients.',
  },
  'ssl.truststore.password': {
    type: 'password',
    default: null,
    documentation: 'Password of the trust store.',
  },
  'ssl.truststore.type': {
    type: 'string',
    default: 'JKS',
    oneOf: ['JKS', 'PEM', 'PKCS12'],
    documentation: 'The form of the trust store. JKS and PKCS12 are told apart by what is in them.',
  },
} as const satisfies ConfigTable;
