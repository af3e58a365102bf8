import { type ConfigChange, type ConfigProblem, operationOf } from './controller/alterConfigs.ts';
import { type LevelledLogger, type LogLevel, logLevels } from './levelledLogger.ts';

/** The only one that there is. */
export const rootLogger = 'root';

/** Changes the level of the log, or says what is wrong; all or none. [RuntimeLoggerManager] */
export function alterLoggers(
  logger: LevelledLogger,
  changes: readonly ConfigChange[],
  validateOnly: boolean,
): ConfigProblem | undefined {
  for (const change of changes) {
    const problem = problemOf(change);
    if (problem) return problem;
  }
  if (validateOnly) return undefined;
  for (const { value } of changes) logger.level = value as LogLevel;
  return undefined;
}

function problemOf({ name, operation: code, value }: ConfigChange): ConfigProblem | undefined {
  const operation = operationOf(code);
  if (operation !== 'set' && operation !== 'delete') {
    const message = `Operation ${operation ?? code} is not allowed for loggers`;
    return { error: 'INVALID_REQUEST', message };
  }
  if (name !== rootLogger)
    return { error: 'INVALID_CONFIG', message: `Logger ${name} does not exist!` };
  if (operation === 'delete') {
    const message = `Removing the log level of the ${rootLogger} logger is not allowed`;
    return { error: 'INVALID_REQUEST', message };
  }
  return logLevels.some((level) => level === value)
    ? undefined
    : { error: 'INVALID_CONFIG', message: `The level of a log is one of ${logLevels.join(', ')}` };
}
