import { errorMessage } from '../base/logger.ts';
import type { Problem } from './model.ts';

/** What went wrong, in words for people, with what to do next. */
export function toProblem(error: unknown): Problem {
  return { message: errorMessage(error) };
}
