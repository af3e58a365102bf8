import { toProblem } from '../../cluster/problems.ts';
import type { ClusterProfile, Problem } from '../../cluster/model.ts';
import { cutWords, type UserError } from '../../shared/contracts/common.ts';

/** A failure as panels show it. */
export function toUserError(error: unknown): UserError {
  return problemWords(toProblem(error));
}

export function problemWords({ message, hint }: Problem): UserError {
  return { message: cutWords(message), ...(hint !== undefined && { hint: cutWords(hint) }) };
}

/** The cluster as panels know it. */
export function clusterRefOf(profile: ClusterProfile): {
  id: string;
  name: string;
  readOnly: boolean;
} {
  return { id: profile.id, name: profile.name, readOnly: profile.readOnly };
}
