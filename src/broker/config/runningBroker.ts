// What Kafka looks for in the values that a running broker is given, whether or not anything here goes by them.
import type { BrokerConfig } from './brokerConfigs.ts';
import { cleanerProblem, segmentTimesProblem } from './brokerRules.ts';
import { listItems, numberOf } from './configText.ts';
import { cordonedProblem } from './cordonedLogDirs.ts';
import { topicDefault } from './effectiveConfigs.ts';

type Configs = ReadonlyMap<string, string>;

/** What is wrong with configs, in words; `after` is the broker once it has them. [DynamicBrokerConfig] */
export function runningProblem(configs: Configs, after: BrokerConfig): string | undefined {
  const text = (name: string): string | null => after.text(name);
  return (
    reportersProblem(configs) ??
    cordonedProblem(configs.get('cordoned.log.dirs') ?? '', after) ??
    localRetentionProblem(after) ??
    segmentTimesProblem(text) ??
    cleanerProblem(text)
  );
}

const reporters = 'metric.reporters';
const jmxReporter = 'org.apache.kafka.common.metrics.JmxReporter';

/** Kafka loads the classes that are named. Here is none but the one that it has itself. [DynamicMetricsReporters] */
function reportersProblem(configs: Configs): string | undefined {
  const unknown = listItems(configs.get(reporters) ?? '').find((name) => name !== jmxReporter);
  return unknown === undefined
    ? undefined
    : `${reporters}: the class ${unknown} could not be found`;
}

const retentions = {
  ms: ['retention.ms', 'local.retention.ms', 'remote.copy.lag.ms'],
  bytes: ['retention.bytes', 'local.retention.bytes', 'remote.copy.lag.bytes'],
} as const;

/** Tiered storage keeps less on brokers than there is in all. [DynamicLogConfig.validateReconfiguration] */
function localRetentionProblem(after: BrokerConfig): string | undefined {
  for (const names of Object.values(retentions)) {
    const [ofAll, ofLocal, ofLag] = names.map((name) => `log.${name}`);
    const [given = -1, local = -2, lag = 0] = names.map((name) =>
      numberOf(topicDefault(after, name)),
    );
    const all = Math.max(given, -1);
    const isMore = local !== -2 && (local === -1 || local > all);
    if (all >= 0 && isMore) return `${ofLocal} must be no more than ${ofAll}, which is ${all}`;
    const kept = local === -2 ? all : local;
    if (kept >= 0 && lag > kept) return `${ofLag} must be no more than the ${kept} of ${ofLocal}`;
  }
  return undefined;
}
