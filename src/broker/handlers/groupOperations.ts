/**
 * READ, DELETE, DESCRIBE, DESCRIBE_CONFIGS, ALTER_CONFIGS as bits by AclOperation code: all that can be
 * done with a group, as a broker without authorizer answers. [AclEntry.supportedOperations]
 */
export const groupOperations = [3, 6, 8, 10, 11].reduce((bits, code) => bits | (1 << code), 0);
