import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import { type BrokerConfig, BrokerConfigError } from '../config/brokerConfigs.ts';
import { listItems } from '../config/configType.ts';
import type { MetadataImage } from '../controller/metadataImage.ts';
import { type ListenerSettings, listenerText, usesSasl } from './listeners.ts';
import type { SaslExchange } from './saslExchange.ts';
import { plainExchange, plainUsers } from './saslPlain.ts';
import { ScramExchange } from './saslScram.ts';
import { type ScramMechanism } from './scramMechanisms.ts';
import type { SaslMechanism, SaslRules } from './session.ts';

/** What SASL needs to know of the cluster. */
export interface SaslContext {
  readonly config: BrokerConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly image: () => MetadataImage;
}

/** How clients of the listener authenticate; undefined where they do not. Throws a BrokerConfigError. */
export function saslRules(context: SaslContext, listener: ListenerSettings): SaslRules | undefined {
  if (!usesSasl(listener)) return undefined;
  const { config, clock } = context;
  const enabled = listItems(listenerText(config, listener, 'sasl.enabled.mechanisms') ?? '');
  return {
    mechanisms: new Map(enabled.map((name) => [name, mechanismOf(context, listener, name)])),
    failureDelayMs: config.number('connection.failed.authentication.delay.ms'),
    maxReceiveBytes: config.number('sasl.server.max.receive.size'),
    clock,
  };
}

function mechanismOf(
  context: SaslContext,
  listener: ListenerSettings,
  name: string,
): SaslMechanism {
  const { config } = context;
  const own = `${name.toLowerCase()}.connections.max.reauth.ms`;
  const maxReauthMs =
    listenerText(config, listener, own) ??
    listenerText(config, listener, 'connections.max.reauth.ms');
  return { begin: exchangeOf(context, listener, name), maxReauthMs: Number(maxReauthMs) };
}

function exchangeOf(
  { config, random, image }: SaslContext,
  listener: ListenerSettings,
  mechanism: string,
): () => SaslExchange {
  if (mechanism === 'PLAIN') {
    const jaas =
      listenerText(config, listener, 'plain.sasl.jaas.config') ??
      listenerText(config, listener, 'sasl.jaas.config');
    const users = plainUsers(jaas ?? '');
    if (jaas !== null && users.size === 0)
      throw new BrokerConfigError(
        'sasl.jaas.config names no users: write org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="password";',
      );
    return () => plainExchange(users);
  }
  const scram = mechanism as ScramMechanism;
  return () =>
    new ScramExchange({
      mechanism: scram,
      credentialOf: (user) => image().scramCredential(user, scram),
      nonce: Buffer.from(random.bytes(24)).toString('base64url'),
    });
}
