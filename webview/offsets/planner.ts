/** Plans all rows anew whenever something changes, and drops the plan that is overtaken. */
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { PlanRow, RefusedRow, ResetScenario } from '../../src/shared/contracts/offsets.ts';
import { toUserError } from '../kit/parts.ts';
import { applyPlan, type OffsetRow, planRequests } from './model.ts';

type Request = ReturnType<typeof planRequests>[number];

interface Planned {
  readonly rows: readonly PlanRow[];
  readonly refused: readonly RefusedRow[];
  readonly error?: UserError | undefined;
}

export class Planner {
  readonly #ask: (request: Request, signal: AbortSignal) => Promise<Planned>;
  #planning: AbortController | undefined;

  constructor(ask: (request: Request, signal: AbortSignal) => Promise<Planned>) {
    this.#ask = ask;
  }

  /** Resolves to whether the rows have the plan now, or none where that failed: a later one may have overtaken it. */
  async plan(
    rows: readonly OffsetRow[],
    scenario: ResetScenario | undefined,
    onError: (error: UserError) => void,
  ): Promise<boolean> {
    this.#planning?.abort();
    const { signal } = (this.#planning = new AbortController());
    const requests = planRequests(rows, scenario);
    let plans: readonly Planned[] = [];
    let failure: UserError | undefined;
    try {
      plans = await Promise.all(requests.map((each) => this.#ask(each, signal)));
    } catch (error) {
      failure = toUserError(error);
    }
    if (signal.aborted) return false;
    // What was planned before is of another scenario: it is not to be reset to.
    for (const row of rows) row.plan = row.refusal = undefined;
    if (failure) onError(failure);
    for (const { rows: planned, refused, error } of plans) {
      if (error) onError(error);
      applyPlan(rows, planned, refused);
    }
    return true;
  }
}
