// Log directories that get no new partitions: a broker has one, and with it cordoned gets none at all. [KIP-1066]
import type { BrokerConfig } from './brokerConfigs.ts';
import { listItems } from './configText.ts';

const cordoned = 'cordoned.log.dirs';

/**
 * What is wrong with the log directories that a list says are cordoned: each has to be one of the broker's, or there
 * is `*` for all. [DynamicLogConfig.validateCordonedLogDirs, KafkaConfig.validateCordonedLogDirs]
 */
export function cordonedProblem(list: string, config: BrokerConfig): string | undefined {
  const dirs = listItems(list);
  if (dirs.join() === '*') return undefined;
  const all = listItems(config.text('log.dirs') ?? config.text('log.dir') ?? '');
  const stranger = dirs.find((dir) => !all.includes(dir));
  return stranger === undefined ? undefined : `${cordoned}: ${stranger} is none of log.dirs`;
}

/** Whether the broker gets no new partitions. */
export const isCordoned = (config: BrokerConfig): boolean =>
  listItems(config.text(cordoned) ?? '').length > 0;
