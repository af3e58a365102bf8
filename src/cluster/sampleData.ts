import type { Logger } from '../base/logger.ts';
import type { ClusterSession } from './clusterSession.ts';

export interface SampleDataOptions {
  readonly session: ClusterSession;
  /** `dist/sample/flights.json.gz`. */
  readonly dataPath: string;
  /** `dist/sample.js`, run by `executable`: the application whose groups are then there to look at. */
  readonly consumersPath: string;
  readonly executable: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** `fraction` from 0 to 1. */
  readonly onProgress: (message: string, fraction: number) => void;
}

export interface SampleDataResult {
  readonly topic: string;
  readonly recordCount: number;
  readonly groups: readonly string[];
}

export const sampleTopic = 'flights';

/** Makes the topic `flights`, fills it, and lets two groups read it. Rejects where the topic exists. */
export function loadSampleData(_options: SampleDataOptions): Promise<SampleDataResult> {
  return Promise.reject(new Error('not there yet'));
}
