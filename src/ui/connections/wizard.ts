/** The answer of whoever wants to see the question before. */
export const back = Symbol('back');
export type Back = typeof back;

/** Where a question stands among the others, for its title. */
export interface StepPlace {
  readonly title: string;
  /** From 1. */
  readonly step: number;
  readonly totalSteps: number;
}

/** One question. Resolves with the draft as the answer changes it. */
export type Step<D> = (draft: D, place: StepPlace) => Promise<D | Back>;

/**
 * Asks one question after the other until all are answered. An answer may bring questions or spare them: so the
 * list is made anew after each, and must begin with those that have been answered. Going back keeps the answers.
 */
export async function runSteps<D>(
  title: string,
  start: D,
  stepsFor: (draft: D) => readonly Step<D>[],
): Promise<D> {
  let draft = start;
  for (let index = 0; ;) {
    const steps = stepsFor(draft);
    const step = steps[index];
    if (step === undefined) return draft;
    const answer = await step(draft, { title, step: index + 1, totalSteps: steps.length });
    if (answer === back) {
      index = Math.max(0, index - 1);
    } else {
      draft = answer;
      index++;
    }
  }
}
