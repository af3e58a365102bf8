import type { Difference } from './compare.ts';
import { JavaLedger } from './javaLedger.ts';
import type { KnownDifference } from './knownDifferences.ts';
import { Ledger } from './ledger.ts';

/** What comparisons have found so far. */
export class Findings {
  readonly ledger = new Ledger();
  readonly javaLedger = new JavaLedger();
  readonly used = new Set<KnownDifference<string>>();

  /** Whether the table says that an answer of this name may differ so, which is then remembered. */
  isKnown(
    table: readonly KnownDifference<string>[],
    name: string,
    difference: Difference,
  ): boolean {
    const known = table.find(
      (entry) =>
        (entry.api === 'any' || entry.api === name) &&
        entry.path.test(difference.path) &&
        (entry.isIt === undefined || entry.isIt(difference)),
    );
    if (known) this.used.add(known);
    return known !== undefined;
  }
}
