import type { Logger } from '../base/logger.ts';

/** From the least to the most that is logged. [LogLevelConfig] */
export const logLevels = ['FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The log of a cluster, of which clients may want less: DEBUG and TRACE act as INFO here. [KIP-412] */
export class LevelledLogger implements Logger {
  level: LogLevel = 'INFO';
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  debug(message: string): void {
    if (this.#has('INFO')) this.#logger.debug(message);
  }

  info(message: string): void {
    if (this.#has('INFO')) this.#logger.info(message);
  }

  warn(message: string): void {
    if (this.#has('WARN')) this.#logger.warn(message);
  }

  error(message: string): void {
    if (this.#has('ERROR')) this.#logger.error(message);
  }

  #has(level: LogLevel): boolean {
    return logLevels.indexOf(level) <= logLevels.indexOf(this.level);
  }
}
