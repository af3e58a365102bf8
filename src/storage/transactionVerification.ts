import type { BatchHeader } from '../protocol/records/recordBatch.ts';
import { StorageError } from './storageError.ts';

/** Proof that the coordinator was asked; equal only to itself. [VerificationGuard] */
export interface VerificationGuard {
  readonly producerId: bigint;
}

/** The first batch of a transaction in a partition, before the coordinator is asked about it. */
export interface VerificationRequest {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  /** Transactions v2: the partition is added with the batch, and each transaction has its epoch. */
  readonly supportsEpochBump: boolean;
  readonly nowMs: number;
}

/** [VerificationStateEntry] */
export class Verification {
  readonly guard: VerificationGuard;
  readonly startedMs: number;
  readonly #supportsEpochBump: boolean;
  #producerEpoch: number;
  #lowestSequence: number;

  constructor({ producerId, producerEpoch, baseSequence, ...rest }: VerificationRequest) {
    this.guard = { producerId };
    this.startedMs = rest.nowMs;
    this.#supportsEpochBump = rest.supportsEpochBump;
    this.#producerEpoch = producerEpoch;
    this.#lowestSequence = baseSequence;
  }

  /** Another batch of the transaction, or of a later one: sequences begin anew with an epoch. */
  join({ producerEpoch, baseSequence }: VerificationRequest): void {
    if (producerEpoch === this.#producerEpoch && baseSequence < this.#lowestSequence)
      this.#lowestSequence = baseSequence;
    if (producerEpoch <= this.#producerEpoch) return;
    this.#producerEpoch = producerEpoch;
    this.#lowestSequence = baseSequence;
  }

  /** Whether it is of a transaction that follows the one whose marker has this epoch. */
  isForNext(markerEpoch: number): boolean {
    return this.#supportsEpochBump && markerEpoch === this.#producerEpoch;
  }

  /**
   * A batch must not overtake an earlier one that is still to be verified, or was refused meanwhile: the
   * earlier one could then never be written. [ProducerAppendInfo.checkSequence]
   */
  checkSequence({ producerId, baseSequence }: BatchHeader, isProducerKnown: boolean): void {
    const isTooLate = this.#supportsEpochBump && baseSequence !== 0 && !isProducerKnown;
    if (!isTooLate && baseSequence <= this.#lowestSequence) return;
    const expected = isTooLate ? 0 : this.#lowestSequence;
    throw new StorageError(
      'OUT_OF_ORDER_SEQUENCE_NUMBER',
      `producer ${producerId} begins its transaction here with sequence ${baseSequence} where ${expected} comes first`,
    );
  }
}

/** What a batch that is being written does to the verification that it found. */
export interface VerificationUse {
  readonly producerId: bigint;
  readonly verification: Verification;
  /** Of the marker that the batch is. */
  readonly markerEpoch?: number;
}

/** The next transaction may be on its way already: with transactions v2 it has the marker's epoch. */
export function isUsedUp({ verification, markerEpoch }: VerificationUse): boolean {
  return markerEpoch === undefined || !verification.isForNext(markerEpoch);
}

/** The producers whose transactions the coordinator is being asked about. In memory only. */
export class Verifications {
  readonly #byProducer = new Map<bigint, Verification>();

  get(producerId: bigint): Verification | undefined {
    return this.#byProducer.get(producerId);
  }

  start(request: VerificationRequest): VerificationGuard {
    const present = this.#byProducer.get(request.producerId);
    present?.join(request);
    const verification = present ?? new Verification(request);
    this.#byProducer.set(request.producerId, verification);
    return verification.guard;
  }

  /** The batch is written. What began meanwhile comes after it, and stays. */
  end(use: VerificationUse): void {
    const isPresent = this.#byProducer.get(use.producerId) === use.verification;
    if (isPresent && isUsedUp(use)) this.#byProducer.delete(use.producerId);
  }

  removeOlderThan(limitMs: number): void {
    for (const [producerId, { startedMs }] of this.#byProducer)
      if (startedMs <= limitMs) this.#byProducer.delete(producerId);
  }
}
