/**
 * Which line of a chart looks how: a name keeps its place among the looks for as long as it is charted, whatever comes
 * and goes beside it. Else the lines would change their colours as the order of the longest lags does.
 */
export function lineSlots(
  names: readonly string[],
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const kept = new Map(names.flatMap((name) => pair(name, before.get(name))));
  const taken = new Set(kept.values());
  let free = 0;
  const slots = new Map<string, number>();
  for (const name of names) {
    let slot = kept.get(name);
    if (slot === undefined) {
      while (taken.has(free)) free++;
      taken.add((slot = free));
    }
    slots.set(name, slot);
  }
  return slots;
}

function pair(name: string, slot: number | undefined): [string, number][] {
  return slot === undefined ? [] : [[name, slot]];
}
