// Kafka's own command-line tools, against our broker and against Kafka: the same commands, the same answers.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { batchOf, connections, errorName, freshName, servers } from './support/servers.ts';

const topics = 'org.apache.kafka.tools.TopicCommand';
const configs = 'org.apache.kafka.tools.ConfigCommand';
const clientMetrics = 'org.apache.kafka.tools.ClientMetricsCommand';
const offsets = 'org.apache.kafka.tools.GetOffsetShell';
const deleteRecords = 'org.apache.kafka.tools.DeleteRecordsCommand';
const logDirs = 'org.apache.kafka.tools.LogDirsCommand';
const groups = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';

interface Step {
  readonly what: string;
  readonly tool: string;
  readonly args: readonly string[];
  /** What is compared of the output; all of it if left out. */
  readonly read?: (output: string) => unknown;
  /** The tool ends with a failure. */
  readonly isRefused?: true;
}

const topic = freshName('tools');
const group = freshName('tools-group');
const jsonFile = (folder: string): string => path.join(folder, 'records.json');

function stepsOf(folder: string): Step[] {
  const ofTopic = ['--topic', topic];
  const ofGroup = ['--entity-type', 'groups', '--entity-name', group];
  const ofConfigs = ['--entity-type', 'topics', '--entity-name', topic];
  return [
    {
      what: 'creates a topic',
      tool: topics,
      args: ['--create', ...ofTopic, '--partitions', '2', '--config', 'retention.ms=12345678'],
    },
    {
      isRefused: true,
      what: 'does not create it twice',
      tool: topics,
      args: ['--create', ...ofTopic],
    },
    {
      what: 'lists it',
      tool: topics,
      args: ['--list'],
      read: (output) => output.split('\n').includes(topic),
    },
    {
      what: 'describes it',
      tool: topics,
      args: ['--describe', ...ofTopic],
      read: (output) => [
        /PartitionCount: (\d+)\tReplicationFactor: (\d+)/.exec(output)?.slice(1),
        output.includes('retention.ms=12345678'),
        output.split('\n').filter((line) => line.includes('Leader: 1')).length,
      ],
    },
    { what: 'adds partitions', tool: topics, args: ['--alter', ...ofTopic, '--partitions', '3'] },
    {
      isRefused: true,
      what: 'takes none away',
      tool: topics,
      args: ['--alter', ...ofTopic, '--partitions', '1'],
    },
    {
      what: 'changes a config',
      tool: configs,
      args: ['--alter', ...ofConfigs, '--add-config', 'cleanup.policy=[compact,delete],flush.ms=5'],
    },
    {
      what: 'deletes a config',
      tool: configs,
      args: ['--alter', ...ofConfigs, '--delete-config', 'flush.ms'],
    },
    {
      what: 'describes its configs',
      tool: configs,
      args: ['--describe', ...ofConfigs],
      read: (output) =>
        [...output.matchAll(/^ {2}(\S+)=(\S*) sensitive=(\w+)/gm)]
          .map((match) => match.slice(1))
          .sort(),
    },
    {
      isRefused: true,
      what: 'refuses a config that is wrong',
      tool: configs,
      args: ['--alter', ...ofConfigs, '--add-config', 'retention.ms=never'],
      read: (output) => output.includes('InvalidConfigurationException'),
    },
    {
      what: 'gives a group settings of its own',
      tool: configs,
      args: ['--alter', ...ofGroup, '--add-config', 'consumer.session.timeout.ms=50000'],
    },
    {
      what: 'describes the settings of a group',
      tool: configs,
      args: ['--describe', ...ofGroup],
      read: (output) => /consumer\.session\.timeout\.ms=\d+.*/.exec(output)?.[0],
    },
    {
      isRefused: true,
      what: 'refuses a setting that a group cannot have',
      tool: configs,
      args: ['--alter', ...ofGroup, '--add-config', 'consumer.session.timeout.ms=1'],
      read: (output) => output.includes('InvalidConfigurationException'),
    },
    {
      what: 'subscribes to metrics of clients',
      tool: clientMetrics,
      args: [
        ...['--alter', '--name', topic, '--metrics', 'org.apache.kafka.producer.'],
        ...['--interval', '10000', '--match', 'client_id=app-.*'],
      ],
    },
    {
      what: 'describes a subscription',
      tool: clientMetrics,
      args: ['--describe', '--name', topic],
    },
    {
      what: 'lists subscriptions',
      tool: clientMetrics,
      args: ['--list'],
      read: (output) => output.split('\n').includes(topic),
    },
    { what: 'ends a subscription', tool: clientMetrics, args: ['--delete', '--name', topic] },
    { what: 'finds the ends', tool: offsets, args: [...ofTopic, '--time', 'latest'] },
    { what: 'finds the starts', tool: offsets, args: [...ofTopic, '--time', 'earliest'] },
    {
      what: 'finds the largest timestamps',
      tool: offsets,
      args: [...ofTopic, '--time', 'max-timestamp'],
    },
    {
      what: 'deletes records',
      tool: deleteRecords,
      args: ['--offset-json-file', jsonFile(folder)],
      read: (output) => output.split('\n').filter((line) => line.includes('low_watermark')),
    },
    { what: 'finds the new start', tool: offsets, args: [...ofTopic, '--time', 'earliest'] },
    {
      what: 'shows the log directories',
      tool: logDirs,
      args: ['--describe', '--topic-list', topic],
      read: (output) => {
        const [json = '{}'] = output.split('\n').filter((line) => line.startsWith('{'));
        const { brokers = [] } = JSON.parse(json) as {
          brokers?: { logDirs: { partitions: { partition: string; size: number }[] }[] }[];
        };
        return brokers
          .flatMap((broker) => broker.logDirs)
          .flatMap((dir) => dir.partitions)
          .map(({ partition, size }) => [partition, size > 0])
          .sort();
      },
    },
    {
      what: 'makes a group with offsets',
      tool: groups,
      args: ['--reset-offsets', '--group', group, ...ofTopic, '--to-latest', '--execute'],
      read: rows,
    },
    {
      what: 'shows what the group has left to read',
      tool: groups,
      args: ['--describe', '--group', group],
      read: rows,
    },
    {
      what: 'shows the state of the group',
      tool: groups,
      args: ['--describe', '--group', group, '--state'],
      read: (output) => output.includes('Empty'),
    },
    { what: 'deletes the group', tool: groups, args: ['--delete', '--group', group] },
    { what: 'deletes the topic', tool: topics, args: ['--delete', ...ofTopic] },
    {
      isRefused: true,
      what: 'finds it gone',
      tool: topics,
      args: ['--describe', ...ofTopic],
      read: (output) => output.includes('does not exist'),
    },
  ];
}

/** The lines of a table that are about the group, in order, blanks folded. */
function rows(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.includes(group) && line.includes(topic))
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .sort();
}

describe('Kafka’s own tools', function () {
  this.timeout(120_000);
  const connectors = servers.map((server) => connections(server));
  let folder = '';

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tools-'));
    const partitions = [{ topic, partition: 0, offset: 2 }];
    await writeFile(jsonFile(folder), JSON.stringify({ partitions, version: 1 }));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function runOn(server: (typeof servers)[number], { tool, args }: Step): Promise<string> {
    const bootstrap = ['--bootstrap-server', await server.bootstrap()];
    const { code, stdout, stderr } = await runKafkaTool(tool, [...bootstrap, ...args]);
    return `${stdout}${stderr.replace(/^\[.*\n/gm, '')}exit ${code}`;
  }

  async function fill(): Promise<void> {
    for (const connect of connectors) {
      const client = await connect();
      const records = batchOf(
        [1, 2, 3].map((n) => ({ timestamp: BigInt(Date.now() + n), value: Buffer.from('x') })),
      );
      const { responses } = await client.call('produce', 9, {
        acks: -1,
        timeoutMs: 10_000,
        topicData: [{ name: topic, partitionData: [{ index: 0, records }] }],
      });
      assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
    }
  }

  for (const [i, { what }] of stepsOf('').entries()) {
    it(`[A3] ${what} (embedded, Kafka 4.4)`, async () => {
      const step = stepsOf(folder)[i];
      assert.ok(step);
      const { read = (output) => output } = step;
      // One after the other: two virtual machines at once are slower than that on two processors.
      const outputs: string[] = [];
      for (const server of servers) outputs.push(await runOn(server, step));
      for (const output of outputs) assert.match(output, step.isRefused ? /exit 1$/ : /exit 0$/);
      assert.deepEqual(read(outputs[0] ?? ''), read(outputs[1] ?? ''), outputs.join('\n---\n'));
      if (what === 'creates a topic') await fill();
    });
  }
});
