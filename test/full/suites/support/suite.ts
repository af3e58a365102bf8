import type { Certificates } from '../../../support/kafka/certificates.ts';
import type { Kind, SuiteSetup } from './suiteBroker.ts';

export type Outcome = 'passed' | 'failed' | 'skipped';

export interface SuiteRun {
  /** By a test's name, which two runs have in common. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** What failed tests said, by their names. */
  readonly said: ReadonlyMap<string, string>;
}

/** Where a run finds things. */
export interface SuitePlace {
  /** The suite, as `install` left it. */
  readonly folder: string;
  readonly kind: Kind;
  /** Empty where the suite starts its brokers itself. */
  readonly bootstrap: string;
  readonly certificates: Certificates;
}

/** Other people's tests of their client, which are run from where they are. */
export interface Suite {
  readonly name: string;
  readonly version: string;
  /** What of it is run, for the page. */
  readonly description: string;
  /** Resolves with the folder of the suite, fetched if it is not there yet. */
  install(): Promise<string>;
  /** Left out: the suite starts its brokers itself. */
  readonly setup?: (certificates: Certificates) => SuiteSetup;
  /** Runs all of it, or what `only` names from an earlier run. */
  run(place: SuitePlace, only?: readonly string[]): Promise<SuiteRun>;
  /** Tests that pass on Kafka and not on our broker, by name, and why. One that passes after all has to go. */
  readonly exclusions: Readonly<Record<string, string>>;
  /** Tests that are left out, since chance decides on any broker, and how. */
  readonly chance: Readonly<Record<string, string>>;
}
