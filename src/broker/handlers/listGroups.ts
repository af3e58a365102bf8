import { filterInSteps } from '../../base/turns.ts';
import type { Handler } from '../handler.ts';

/**
 * Versions 0-5: 1 throttle time; 3 flexible; 4 states and a filter on them (KIP-518); 5 types and a filter on
 * them (KIP-848).
 */
export const listGroups: Handler<'listGroups'> = {
  versions: [0, 5],
  isReport: () => true,
  async handle(request, context) {
    const { access, inTurns, node } = context;
    const answer = await node.groupCoordinator.reports.listGroups(request, context);
    if (access.may('describe', 'cluster')) return answer;
    const mayDescribe = access.filter('describe', 'group');
    const work = filterInSteps(answer.groups ?? [], ({ groupId = '' }) => mayDescribe(groupId));
    return { ...answer, groups: await inTurns(work) };
  },
};
