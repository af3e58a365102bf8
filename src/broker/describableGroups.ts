import type { Steps } from '../base/turns.ts';
import { errorCodes } from '../protocol/errors.ts';
import type { Access } from './security/authorizer/access.ts';

interface DescribableGroups {
  readonly groupIds: string[];
  /** What is answered of the others. */
  readonly refused: readonly { readonly groupId: string; readonly errorCode: number }[];
}

/** The groups that who asks may describe, as often as they are named. */
export function* describableGroups(
  named: readonly string[],
  access: Access,
): Steps<DescribableGroups> {
  const mayDescribe = access.filter('describe', 'group');
  const errorCode = errorCodes.GROUP_AUTHORIZATION_FAILED;
  const groupIds: string[] = [];
  const refused: { groupId: string; errorCode: number }[] = [];
  for (const groupId of named) {
    yield;
    if (mayDescribe(groupId)) groupIds.push(groupId);
    else refused.push({ groupId, errorCode });
  }
  return { groupIds, refused };
}
