const pauseMs = 5;
const longestMs = 30_000;

/** Waits for what comes about by other hands. Rejects with `problem` where it does not come about at all. */
export async function until(isSo: () => boolean, problem: () => string): Promise<void> {
  for (const endMs = Date.now() + longestMs; !isSo();) {
    if (Date.now() > endMs) throw new Error(problem());
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
