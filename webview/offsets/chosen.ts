/** The rows that are selected and planned, and what is made of them. Nothing here touches the page. */
import type { PlanRow } from '../../src/shared/contracts/offsets.ts';
import { isChange, type OffsetRow } from './model.ts';

interface Chosen {
  readonly row: OffsetRow;
  readonly plan: PlanRow;
}

export function chosenOf(rows: readonly OffsetRow[]): Chosen[] {
  return rows.flatMap((row) => (row.selected && row.plan ? { row, plan: row.plan } : []));
}

/** How many of them are elsewhere afterwards. */
export function changingOf(chosen: readonly Chosen[]): number {
  return chosen.filter(({ plan }) => isChange(plan)).length;
}

/** As a reset takes them: with the commit that the plan was made for. */
export function toApply(chosen: readonly Chosen[]): {
  topic: string;
  partition: number;
  committed: string | null;
  target: string | null;
}[] {
  return chosen.map(({ row: { topic, partition, committed = null }, plan: { target } }) => {
    return { topic, partition, committed, target };
  });
}

/** As the command for them is made. */
export function toCommand(chosen: readonly Chosen[]): {
  topic: string;
  partition: number;
  target: string | null;
  isEdited: boolean;
}[] {
  return chosen.map(({ row: { topic, partition, edited }, plan: { target } }) => {
    return { topic, partition, target, isEdited: edited !== undefined };
  });
}

/** As a file has them, which knows no deletion. */
export function toExport(
  chosen: readonly Chosen[],
): { topic: string; partition: number; offset: string }[] {
  return chosen.flatMap(({ row: { topic, partition }, plan: { target } }) =>
    target === null ? [] : { topic, partition, offset: target },
  );
}
