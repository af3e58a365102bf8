import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import type { FileSystem } from '../../storage/fileSystem.ts';
import { type BrokerConfig, BrokerConfigError } from '../config/brokerConfigs.ts';
import { listItems } from '../config/configText.ts';
import type { MetadataImage } from '../controller/metadataImage.ts';
import { type ListenerSettings, listenerText, usesSasl } from './listeners.ts';
import { tokenValidator } from './oauth/tokenValidators.ts';
import type { SaslExchange } from './saslExchange.ts';
import { oauthBearerExchange } from './saslOAuthBearer.ts';
import { plainExchange, plainUsers } from './saslPlain.ts';
import { ScramExchange } from './saslScram.ts';
import { type ScramMechanism } from './scramMechanisms.ts';
import type { SaslMechanism, SaslRules } from './session.ts';

/** What SASL needs to know of the cluster. */
export interface SaslContext {
  readonly config: BrokerConfig;
  readonly clock: Clock;
  /** The machine's clock, which nobody moves. */
  readonly machineClock: Clock;
  readonly random: Random;
  readonly fileSystem: FileSystem;
  readonly logger: Logger;
  readonly image: () => MetadataImage;
}

/** How clients of the listener authenticate; undefined where they do not. Rejects with a BrokerConfigError. */
export async function saslRules(
  context: SaslContext,
  listener: ListenerSettings,
): Promise<SaslRules | undefined> {
  if (!usesSasl(listener)) return undefined;
  const { config, clock } = context;
  const enabled = listItems(listenerText(config, listener, 'sasl.enabled.mechanisms') ?? '');
  const mechanisms = new Map<string, SaslMechanism>();
  const most = config.number('sasl.server.max.receive.size');
  for (const name of enabled) mechanisms.set(name, await mechanismOf(context, listener, name));
  return {
    mechanisms,
    failureDelayMs: config.number('connection.failed.authentication.delay.ms'),
    maxReceiveBytes: most === -1 ? Infinity : most, // [NetworkReceive.UNLIMITED]
    clock,
  };
}

async function mechanismOf(
  context: SaslContext,
  listener: ListenerSettings,
  name: string,
): Promise<SaslMechanism> {
  const text = (config: string): string | null =>
    listenerText(context.config, listener, `${name.toLowerCase()}.${config}`) ??
    listenerText(context.config, listener, config);
  return {
    begin: await exchangeOf(context, name, text),
    maxReauthMs: Number(text('connections.max.reauth.ms')),
  };
}

/** A config of the mechanism on the listener, of the listener, or of the broker. */
type MechanismText = (config: string) => string | null;

async function exchangeOf(
  context: SaslContext,
  mechanism: string,
  text: MechanismText,
): Promise<() => SaslExchange> {
  switch (mechanism) {
    case 'PLAIN':
      return plain(text('sasl.jaas.config'));
    case 'OAUTHBEARER':
      return oauthBearer(context, text);
    default:
      return scram(context, mechanism as ScramMechanism);
  }
}

function plain(jaas: string | null): () => SaslExchange {
  const users = plainUsers(jaas ?? '');
  if (jaas !== null && users.size === 0)
    throw new BrokerConfigError(
      'sasl.jaas.config names no users: write org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="password";',
    );
  return () => plainExchange(users);
}

async function oauthBearer(
  { fileSystem, machineClock: clock, logger }: SaslContext,
  text: MechanismText,
): Promise<() => SaslExchange> {
  const validate = await tokenValidator({ text, fileSystem, clock, logger });
  const onRefusal = (reason: string): void => logger.info(`a token is refused: ${reason}`);
  return () => oauthBearerExchange({ validate, clock, onRefusal });
}

function scram({ image, random }: SaslContext, mechanism: ScramMechanism): () => SaslExchange {
  return () =>
    new ScramExchange({
      mechanism,
      credentialOf: (user) => image().scramCredential(user, mechanism),
      nonce: Buffer.from(random.bytes(24)).toString('base64url'),
    });
}
