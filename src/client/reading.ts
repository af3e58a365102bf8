import {
  ConnectionError,
  DeadlineError,
  isBrokerDown,
  isUnknownTopic,
  KafkaError,
} from './kafkaError.ts';
import type { ReadPosition } from './partitionAnswer.ts';

/** A topic that is said so often in a row to be unknown is; a broker that has just started may not know it yet. */
const unknownsUntilFinal = 6;

/** The reading of one partition: where it stands, and how it fares. */
export class Reading {
  position: ReadPosition;
  /** Part of a fetch that is under way, or of events that were not taken yet. */
  isBusy = false;
  #failures = 0;
  /** How many of the last failures said that there is no such topic. */
  #unknowns = 0;

  constructor(position: ReadPosition) {
    this.position = position;
  }

  /** One after the other, up to now. */
  get failures(): number {
    return this.#failures;
  }

  advance(next: ReadPosition): void {
    this.position = next;
    this.#failures = 0;
    this.#unknowns = 0;
  }

  /** Counts a failure; says whether it may pass. `isNews`: that the topic exists is known for certain. */
  fail(error: Error, isNews: boolean): boolean {
    this.#failures++;
    this.#unknowns = isUnknownTopic(error) ? this.#unknowns + 1 : 0;
    return isPassing(error) && (isNews || this.#unknowns < unknownsUntilFinal);
  }
}

function isPassing(error: Error): boolean {
  // A leader that just went down: others will know soon who leads now.
  if (error instanceof KafkaError) return error.retriable || isBrokerDown(error);
  return error instanceof ConnectionError || error instanceof DeadlineError;
}
