import { errorCodes } from '../../protocol/errors.ts';

/** What clients from before PRODUCER_FENCED (KIP-588) are told in its place. */
export function knownError(errorCode: number, knowsProducerFenced: boolean): number {
  return errorCode === errorCodes.PRODUCER_FENCED && !knowsProducerFenced
    ? errorCodes.INVALID_PRODUCER_EPOCH
    : errorCode;
}
