import type { ConfigTable } from './configType.ts';

/** How many connections there may be. [SocketServerConfigs] */
export const connectionConfigs = {
  'max.connection.creation.rate': {
    type: 'int',
    default: '2147483647',
    min: 0,
    documentation:
      'The most connections in a second; more wait before they are accepted. A listener may have its own as listener.name.NAME.max.connection.creation.rate.',
  },
  'max.connections': {
    type: 'int',
    default: '2147483647',
    min: 0,
    documentation:
      'The most connections at a time; more wait until one is closed. A listener may have its own as listener.name.NAME.max.connections.',
  },
  'max.connections.per.ip': {
    type: 'int',
    default: '2147483647',
    min: 0,
    documentation: 'The most connections at a time from one address; more are closed.',
  },
  'max.connections.per.ip.overrides': {
    type: 'string',
    default: '',
    documentation:
      'The most connections from single addresses or hosts, as HOST:NUMBER with commas between them.',
  },
} as const satisfies ConfigTable;
