// Every command-line tool of Kafka that talks to a broker, with something for it to do.
import type { ToolContext } from './toolContext.ts';

export interface Tool {
  /** As people know it. */
  readonly name: string;
  readonly className: string;
  args(context: ToolContext): readonly string[];
  readonly input?: string;
  /** What it prints when it has done its work. */
  readonly prints: RegExp;
  /** Why it cannot do its work on either broker. */
  readonly note?: string;
}

const bootstrap = ({ bootstrap }: ToolContext) => ['--bootstrap-server', bootstrap];

const acl = ({ topic }: ToolContext) =>
  ['--allow-principal', 'User:alice', '--operation', 'Read', '--topic', topic]; // prettier-ignore

const tool = (
  name: string,
  className: string,
  args: Tool['args'],
  { input, note, prints }: Pick<Tool, 'input' | 'note' | 'prints'>,
): Tool => ({
  name,
  className: `org.apache.kafka.tools.${className}`,
  args,
  prints,
  ...(input !== undefined && { input }),
  ...(note !== undefined && { note }),
});

export const tools: readonly Tool[] = [
  tool(
    'kafka-topics',
    'TopicCommand',
    (at) => [...bootstrap(at), '--describe', '--topic', at.topic],
    {
      prints: /PartitionCount: 2/,
    },
  ),
  tool(
    'kafka-configs',
    'ConfigCommand',
    (at) => [
      ...bootstrap(at),
      '--entity-type',
      'topics',
      '--entity-name',
      at.topic,
      '--alter',
      '--add-config',
      'retention.ms=5000',
    ],
    {
      prints: /Completed updating config/,
    },
  ),
  tool(
    'kafka-console-producer',
    'ConsoleProducer',
    (at) => [...bootstrap(at), '--topic', at.topic],
    {
      input: 'a\nb\n',
      prints: /^/,
    },
  ),
  tool(
    'kafka-console-consumer',
    'consumer.ConsoleConsumer',
    (at) => [
      ...bootstrap(at),
      '--topic',
      at.topic,
      '--group',
      at.group,
      '--from-beginning',
      '--max-messages',
      '2',
      '--timeout-ms',
      '30000',
    ],
    {
      prints: /^[ab]\n[ab]\n/,
    },
  ),
  tool(
    'kafka-verifiable-producer',
    'VerifiableProducer',
    (at) => [...bootstrap(at), '--topic', at.topic, '--max-messages', '1000', '--acks', '-1'],
    {
      prints: /"acked":1000/,
    },
  ),
  tool(
    'kafka-verifiable-consumer',
    'VerifiableConsumer',
    (at) => [
      ...bootstrap(at),
      '--topic',
      at.topic,
      '--group-id',
      `${at.group}-v`,
      '--max-messages',
      '1000',
      '--reset-policy',
      'earliest',
    ],
    {
      prints: /"name":"offsets_committed"/,
    },
  ),
  tool(
    'kafka-producer-perf-test',
    'ProducerPerformance',
    (at) => [
      ...bootstrap(at),
      '--topic',
      at.topic,
      '--num-records',
      '2000',
      '--record-size',
      '100',
      '--throughput',
      '-1',
    ],
    {
      prints: /2000 records sent/,
    },
  ),
  tool(
    'kafka-consumer-perf-test',
    'ConsumerPerformance',
    (at) => [...bootstrap(at), '--topic', at.topic, '--num-records', '1000', '--timeout', '20000'],
    {
      prints: /nMsg\.sec|nMsg/,
    },
  ),
  tool(
    'kafka-e2e-latency',
    'EndToEndLatency',
    (at) => [
      ...bootstrap(at),
      '--topic',
      at.topic,
      '--num-records',
      '100',
      '--producer-acks',
      '1',
      '--record-size',
      '50',
    ],
    {
      prints: /Avg latency/,
    },
  ),
  tool('kafka-get-offsets', 'GetOffsetShell', (at) => [...bootstrap(at), '--topic', at.topic], {
    prints: /:0:\d+\n/,
  }),
  tool(
    'kafka-delete-records',
    'DeleteRecordsCommand',
    (at) => [...bootstrap(at), '--offset-json-file', at.deleteFile],
    {
      prints: /low_watermark: 1/,
    },
  ),
  tool(
    'kafka-consumer-groups',
    'consumer.group.ConsumerGroupCommand',
    (at) => [...bootstrap(at), '--describe', '--group', at.group],
    {
      prints: /LAG/,
    },
  ),
  tool('kafka-groups', 'GroupsCommand', (at) => [...bootstrap(at), '--list'], {
    prints: /PROTOCOL/,
  }),
  tool(
    'kafka-log-dirs',
    'LogDirsCommand',
    (at) => [...bootstrap(at), '--describe', '--topic-list', at.topic],
    {
      prints: /"logDirs"/,
    },
  ),
  tool(
    'kafka-leader-election',
    'LeaderElectionCommand',
    (at) => [
      ...bootstrap(at),
      '--election-type',
      'preferred',
      '--topic',
      at.topic,
      '--partition',
      '0',
    ],
    {
      prints: /Valid replica already elected/,
    },
  ),
  tool(
    'kafka-reassign-partitions',
    'reassign.ReassignPartitionsCommand',
    (at) => [...bootstrap(at), '--list'],
    {
      prints: /No partition reassignments found/,
    },
  ),
  tool('kafka-transactions', 'TransactionsCommand', (at) => [...bootstrap(at), 'list'], {
    prints: /TransactionalId/,
  }),
  tool('kafka-features', 'FeatureCommand', (at) => [...bootstrap(at), 'describe'], {
    prints: /metadata\.version/,
  }),
  tool(
    'kafka-metadata-quorum',
    'MetadataQuorumCommand',
    (at) => [...bootstrap(at), 'describe', '--status'],
    {
      prints: /LeaderId/,
    },
  ),
  tool('kafka-cluster', 'ClusterTool', (at) => ['cluster-id', ...bootstrap(at)], {
    prints: /Cluster ID/,
  }),
  tool('kafka-broker-api-versions', 'BrokerApiVersionsCommand', (at) => bootstrap(at), {
    prints: /Produce\(0\): 0 to 13/,
  }),
  tool('kafka-client-metrics', 'ClientMetricsCommand', (at) => [...bootstrap(at), '--list'], {
    prints: /^/,
  }),
  tool('kafka-acls --add', 'AclCommand', (at) => [...bootstrap(at), '--add', ...acl(at)], {
    prints: /Adding ACLs for resource[^]*operation=READ, permissionType=ALLOW/,
  }),
  tool(
    'kafka-acls --list',
    'AclCommand',
    (at) => [...bootstrap(at), '--list', '--topic', at.topic],
    { prints: /principal=User:alice, host=\*, operation=READ, permissionType=ALLOW/ },
  ),
  tool(
    'kafka-acls --remove',
    'AclCommand',
    (at) => [...bootstrap(at), '--remove', '--force', ...acl(at)],
    { prints: /^/ },
  ),
  tool(
    'kafka-delegation-tokens',
    'DelegationTokenCommand',
    (at) => [...bootstrap(at), '--describe'],
    {
      prints: /^/,
      note: 'Kafka has to be set up for delegation tokens; our broker has none',
    },
  ),
  tool(
    'kafka-share-groups',
    'consumer.group.ShareGroupCommand',
    (at) => [...bootstrap(at), '--list'],
    { prints: /^/ },
  ),
  tool(
    'kafka-streams-groups',
    'streams.StreamsGroupCommand',
    (at) => [...bootstrap(at), '--list'],
    { prints: /^/ },
  ),
  tool(
    'kafka-verifiable-share-consumer',
    'VerifiableShareConsumer',
    (at) => [
      ...bootstrap(at),
      '--topic',
      at.topic,
      '--group-id',
      `${at.group}-s`,
      '--max-messages',
      '1',
      '--offset-reset-strategy',
      'earliest',
    ],
    {
      prints: /"name":"records_consumed"/,
    },
  ),
  tool(
    'kafka-client-compatibility',
    'ClientCompatibilityTest',
    (at) => [
      ...bootstrap(at),
      '--topic',
      `${at.topic}-compatibility`, // an empty one
      '--offsets-for-times-supported',
      'true',
      '--cluster-id-supported',
      'true',
      '--expect-record-too-large-exception',
      'false',
      '--num-cluster-nodes',
      '1',
      '--create-topics-supported',
      'true',
      '--describe-acls-supported',
      'true',
      '--describe-configs-supported',
      'true',
      '--idempotent-producer-supported',
      'true',
    ],
    {
      prints: /Success/i,
    },
  ),
];
