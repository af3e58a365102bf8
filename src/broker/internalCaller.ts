import { inTurns, type Steps } from '../base/turns.ts';

/** Who asks a coordinator where no client does; the version is one in which errors have their own names. */
export const internalCaller: {
  readonly apiVersion: number;
  readonly clientId: string;
  readonly clientHost: string;
  readonly signal: AbortSignal;
  readonly inTurns: <T>(steps: Steps<T>) => Promise<T>;
} = {
  apiVersion: 5,
  clientId: '',
  clientHost: '',
  signal: new AbortController().signal,
  inTurns: (steps) => inTurns(steps),
};
