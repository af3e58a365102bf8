// Configs that a listener has for itself: `listener.name.NAME.` before the name of the broker's.
// [ListenerName.configPrefix]

const anyConfig = /^listener\.name\.[^.]*\.(.*)$/s;

/**
 * The name behind the prefix, whatever it is; undefined where there is none.
 * [DynamicBrokerConfig.LISTENER_CONFIG_REGEX]
 */
export const withoutListener = (name: string): string | undefined => anyConfig.exec(name)?.[1];

const ofListeners =
  /^listener\.name\.[a-z0-9_.-]+?\.(?:(?:plain|oauthbearer|scram-sha-(?:256|512))\.)?(?<name>(?:sasl|ssl|connections)\..+|max\.connections|max\.connection\.creation\.rate|num\.network\.threads)$/;

const lineBreak = /[\n\r\u2028\u2029]/;

/**
 * The name behind the prefix and behind that of a SASL mechanism, of what listeners go by; undefined for others.
 * [ListenerName.saslMechanismConfigPrefix]
 */
export function withoutListenerAndMechanism(name: string): string | undefined {
  // The pattern would come to a break at each of its dots, and begin anew behind it.
  if (lineBreak.test(name)) return undefined;
  return ofListeners.exec(name)?.groups?.['name'];
}
