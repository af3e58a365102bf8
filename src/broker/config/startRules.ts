// What Kafka asks of a broker's configs at its start only: few of them can be changed later.
import { listItems, numberOf } from './configText.ts';
import { listenerNameOf } from './listenerName.ts';

/** Null: it is not set. */
type Text = (name: string) => string | null;

/** From the least to the most that a group may be given, with what groups have in between. */
const ofGroups = (kind: string): readonly (readonly string[])[] =>
  ['heartbeat.interval.ms', 'session.timeout.ms', 'assignment.interval.ms'].map((what) =>
    ['min.', '', 'max.'].map((limit) => `group.${kind}.${limit}${what}`),
  );

/** None of a row may be more than what follows it. */
const ascending: readonly (readonly string[])[] = [
  // [KafkaConfig.validateValues]
  ['replica.fetch.wait.max.ms', 'replica.socket.timeout.ms'],
  ['replica.fetch.wait.max.ms', 'replica.lag.time.max.ms'],
  // [LogConfig.validateBrokerLogConfigValues]
  ['log.cleaner.min.compaction.lag.ms', 'log.cleaner.max.compaction.lag.ms'],
  // [GroupCoordinatorConfig]
  ...['consumer', 'share', 'streams'].flatMap(ofGroups),
  ['group.streams.num.standby.replicas', 'group.streams.max.standby.replicas'],
  ['group.streams.num.warmup.replicas', 'group.streams.max.warmup.replicas'],
  ['group.streams.min.task.offset.interval.ms', 'group.streams.task.offset.interval.ms'],
  // [ShareGroupConfig]
  ...['delivery.count.limit', 'partition.max.record.locks', 'record.lock.duration.ms'].map((what) =>
    ['min.', '', 'max.'].map((limit) => `group.share.${limit}${what}`),
  ),
  ['group.share.max.size', 'group.share.max.share.sessions'],
];

/** What is wrong, in words. */
export function startProblem(text: Text): string | undefined {
  return (
    ascendingProblem(text) ??
    heartbeatProblem(text) ??
    queueProblem(text) ??
    idleProblem(text) ??
    groupListsProblem(text) ??
    earlyListenersProblem(text)
  );
}

const numberIn = (text: Text, name: string): number => numberOf(text(name) ?? '');

function ascendingProblem(text: Text): string | undefined {
  for (const names of ascending) {
    const more = names.findIndex(
      (name, i) => numberIn(text, name) < numberIn(text, names[i - 1] ?? name),
    );
    if (more !== -1) return `${names[more - 1]} must be no more than ${names[more]}`;
  }
  return undefined;
}

/** A member would be gone before it is heard of again. [GroupCoordinatorConfig] */
function heartbeatProblem(text: Text): string | undefined {
  const kind = ['consumer', 'share', 'streams'].find((each) => {
    const intervalMs = numberIn(text, `group.${each}.heartbeat.interval.ms`);
    return intervalMs >= numberIn(text, `group.${each}.session.timeout.ms`);
  });
  return kind === undefined
    ? undefined
    : `group.${kind}.heartbeat.interval.ms must be less than group.${kind}.session.timeout.ms`;
}

/** The largest request has to have room. Zero and less are no bound. [KafkaConfig.validateValues] */
function queueProblem(text: Text): string | undefined {
  const [queue, request] = ['queued.max.request.bytes', 'socket.request.max.bytes'] as const;
  const bytes = numberIn(text, queue);
  return bytes > 0 && bytes < numberIn(text, request)
    ? `${queue} must be no less than ${request}`
    : undefined;
}

/** Who is not let in is to be told so. Idle for less than zero is for ever. [KafkaConfig.validateValues] */
function idleProblem(text: Text): string | undefined {
  const [delay, idle] = [
    'connection.failed.authentication.delay.ms',
    'connections.max.idle.ms',
  ] as const;
  const idleMs = numberIn(text, idle);
  return idleMs >= 0 && numberIn(text, delay) >= idleMs
    ? `${delay} must be less than ${idle}`
    : undefined;
}

/** [KafkaConfig.groupCoordinatorRebalanceProtocols, GroupCoordinatorConfig.verifyShareGroupConfigs] */
function groupListsProblem(text: Text): string | undefined {
  const items = (name: string): readonly string[] => listItems(text(name) ?? '');
  const protocols = 'group.coordinator.rebalance.protocols';
  if (!items(protocols).includes('classic')) return `${protocols} must have classic among them`;
  const shares = 'group.share.assignors';
  if (new Set(items(shares)).size !== 1) return `${shares} must be one`;
  for (const [name, own] of [
    [shares, 'simple'],
    ['group.streams.assignors', 'sticky'],
  ] as const) {
    // Java's classes have packages, and are not looked for.
    const stranger = items(name).find((item) => item !== own && !item.includes('.'));
    if (stranger !== undefined) return `${name}: there is no ${stranger}`;
  }
  const tags = 'group.streams.rack.aware.assignment.tags';
  return new Set(items(tags)).size < items(tags).length
    ? `The items of ${tags} must not be repeated`
    : undefined;
}

/** They are of those that there are, in the same letters. [KafkaConfig.earlyStartListeners] */
function earlyListenersProblem(text: Text): string | undefined {
  const early = 'early.start.listeners';
  const items = (name: string): readonly string[] => listItems(text(name) ?? '');
  const all = [...items('listeners').map(listenerNameOf), ...items('controller.listener.names')];
  const names = new Set(all.map((name) => name.toUpperCase()));
  const stranger = items(early).find((name) => name !== '' && !names.has(name));
  return stranger === undefined ? undefined : `${early}: there is no listener ${stranger}`;
}
