import type { ConfigTable } from './configType.ts';

/** Configs of authorization. [ServerConfigs, StandardAuthorizer] */
export const authorizerConfigs = {
  'authorizer.class.name': {
    type: 'string',
    default: '',
    oneOf: ['', 'org.apache.kafka.metadata.authorizer.StandardAuthorizer'],
    documentation:
      'org.apache.kafka.metadata.authorizer.StandardAuthorizer has ACLs decide who may do what; not set, everybody may do everything.',
  },
} as const satisfies ConfigTable;

/** Configs that only the authorizer knows, so that a broker tells of them where they are set, and not their values. */
export const pluginConfigs = {
  'allow.everyone.if.no.acl.found': {
    type: 'string',
    default: 'false',
    documentation:
      'Whether everybody may do everything with a resource that has no ACL: true, or anything else for no.',
  },
  'super.users': {
    type: 'string',
    default: '',
    documentation: 'Who may do everything, as User:NAME, with semicolons between them.',
  },
} as const satisfies ConfigTable;
