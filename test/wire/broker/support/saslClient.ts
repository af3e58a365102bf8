import { RawClient } from './rawClient.ts';

/** A connection of this user's, by SASL PLAIN. The password is the name. */
export async function openAs(bootstrap: string, username: string): Promise<RawClient> {
  const client = await RawClient.open(bootstrap);
  await client.call('saslHandshake', 1, { mechanism: 'PLAIN' });
  const authBytes = Buffer.from(`\0${username}\0${username}`);
  const { errorCode } = await client.call('saslAuthenticate', 2, { authBytes });
  if (errorCode !== 0) throw new Error(`${username} is not let in: error ${errorCode}`);
  return client;
}

/** What a listener SASL_PLAINTEXT is told, so that it knows these users by PLAIN. */
export function plainUsers(users: readonly string[]): Record<string, string> {
  const known = users.map((user) => ` user_${user}="${user}"`).join('');
  return {
    'listener.name.sasl_plaintext.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.sasl_plaintext.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required${known};`,
  };
}

/** Has ACLs decide about all but who comes without a name. */
export const authorizerConfig = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': 'User:ANONYMOUS',
} as const;
