import type { Logger } from '../../../base/logger.ts';
import { type BrokerConfig, BrokerConfigError } from '../../config/brokerConfigs.ts';
import { javaTrim } from '../../config/configText.ts';
import type { AclStore } from './aclStore.ts';
import { StandardAuthorizer } from './standardAuthorizer.ts';

/** The authorizer that a broker is to have; undefined: none. Throws a BrokerConfigError for users that are none. */
export function authorizerOf(
  config: BrokerConfig,
  acls: () => AclStore,
  logger: Logger,
): StandardAuthorizer | undefined {
  if ((config.text('authorizer.class.name') ?? '').trim() === '') return undefined;
  const superUsers = superUsersOf(config.text('super.users') ?? '');
  const allowsWithoutAcls = isTrue(config.text('allow.everyone.if.no.acl.found') ?? '');
  if (superUsers.size === 0 && !allowsWithoutAcls) {
    logger.warn(
      'authorizer.class.name is set and super.users names nobody, so that only ACLs made before count. ' +
        'Set super.users to User:NAME; who comes without a name, as the editor does, is User:ANONYMOUS.',
    );
  }
  return new StandardAuthorizer({ superUsers, allowsWithoutAcls }, acls);
}

/** Whatever else is said is no. [StandardAuthorizer.getDefaultResult, Boolean.parseBoolean] */
const isTrue = (text: string): boolean => javaTrim(text).toLowerCase() === 'true';

/**
 * Semicolons between them, as names of certificates have commas. Each is a type and a name, `User:alice`, either of
 * which may be empty. [StandardAuthorizer.getConfiguredSuperUsers, SecurityUtils.parseKafkaPrincipal]
 */
function superUsersOf(value: string): ReadonlySet<string> {
  const names = value.split(';').map(javaTrim);
  const users = names.filter((name) => name !== '');
  const wrong = users.find((name) => !name.includes(':'));
  if (wrong === undefined) return new Set(users);
  throw new BrokerConfigError(
    `Invalid value ${value} for configuration super.users: write "${wrong}" as User:NAME, and ; between several`,
  );
}
