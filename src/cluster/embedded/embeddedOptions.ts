import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { ChangeLog } from '../activity/changeLog.ts';
import type { EmbeddedSettings } from './embeddedSettings.ts';

export interface EmbeddedClusterOptions {
  /** The Node that runs the broker: the editor's own executable in the extension host. */
  readonly executable: string;
  readonly execArgv?: readonly string[];
  /** `dist/cli.js`. */
  readonly cliPath: string;
  readonly dataDir: string;
  readonly settings: () => EmbeddedSettings;
  /** Told of everything that is changed. */
  readonly changes?: ChangeLog;
  readonly logger: Logger;
  readonly clock?: Clock;
}
