/** "Not asked for", as a set of operations. [MetadataResponse.AUTHORIZED_OPERATIONS_OMITTED] */
export const noAuthorizedOperations = -(2 ** 31);

/** Kafka's numbers for what can be allowed. [AclOperation] */
const operations = {
  read: 3,
  write: 4,
  create: 5,
  delete: 6,
  alter: 7,
  describe: 8,
  clusterAction: 9,
  describeConfigs: 10,
  alterConfigs: 11,
  idempotentWrite: 12,
} as const;

const bits = (...names: (keyof typeof operations)[]): number =>
  names.reduce((set, name) => set | (1 << operations[name]), 0);

/** All that can be done with a topic; without an authorizer everybody may. [AclEntry.supportedOperations] */
export const topicOperations = bits(
  'read',
  'write',
  'create',
  'delete',
  'alter',
  'describe',
  'describeConfigs',
  'alterConfigs',
);

export const clusterOperations = bits(
  'create',
  'alter',
  'describe',
  'clusterAction',
  'describeConfigs',
  'alterConfigs',
  'idempotentWrite',
);
