// ACLs where no authorizer is set: every request is refused the same way.
import type { Scenarios } from '../support/run.ts';

const topicType = 2;
const literal = 3;
const read = 3;
const allow = 3;

export const aclScenarios: Scenarios = {
  async 'ACLs without an authorizer'(run) {
    const filter = {
      resourceTypeFilter: topicType,
      resourceNameFilter: 'a',
      patternTypeFilter: literal,
      principalFilter: null,
      hostFilter: null,
      operation: read,
      permissionType: allow,
    };
    await run.each('describeAcls', () => filter);
    const creation = {
      resourceType: topicType,
      resourceName: 'a',
      resourcePatternType: literal,
      principal: 'User:a',
      host: '*',
      operation: read,
      permissionType: allow,
    };
    await run.each('createAcls', () => ({ creations: [creation, creation] }));
    await run.each('deleteAcls', () => ({ filters: [filter, filter] }));
    await run.each('createAcls', () => ({ creations: [] }));
    await run.each('deleteAcls', () => ({ filters: [] }));
  },
};
