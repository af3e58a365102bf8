// The Java client as its console tools use it.
import type { ClientDriver, Received } from './describeClient.ts';
import { createTopicWithTool, kafkaTool } from './kafkaTools.ts';

const NULL = '<null>';

export function connectJava(
  bootstrap: string,
  groupProtocol: 'classic' | 'consumer',
): ClientDriver {
  return {
    createTopic: (topic, partitions) => createTopicWithTool(bootstrap, topic, partitions),
    async produce(topic, records) {
      const lines = records.map(({ key, value, headers }) => {
        const pairs = headers.map(([name, text]) => `${name}:${text}`).join();
        return `${pairs || NULL}\t${key ?? NULL}\t${value ?? NULL}\n`;
      });
      const parse = ['parse.key=true', 'parse.headers=true', `null.marker=${NULL}`];
      const options = parse.flatMap((property) => ['--reader-property', property]);
      const args = ['--topic', topic, ...options];
      await kafkaTool('org.apache.kafka.tools.ConsoleProducer', bootstrap, args, lines.join(''));
    },
    async consume(group, topic, count) {
      const print = ['partition', 'offset', 'headers', 'key', 'value'];
      const formatter = [...print.map((what) => `print.${what}=true`), `null.literal=${NULL}`];
      const output = await kafkaTool('org.apache.kafka.tools.consumer.ConsoleConsumer', bootstrap, [
        ...['--topic', topic, '--group', group, '--from-beginning'],
        ...['--max-messages', String(count), '--timeout-ms', '30000'],
        ...['--command-property', `group.protocol=${groupProtocol}`],
        ...formatter.flatMap((property) => ['--formatter-property', property]),
      ]);
      return output
        .split('\n')
        .filter((line) => line.startsWith('Partition:'))
        .map(toReceived);
    },
  };
}

/** `Partition:0 <tab> Offset:1 <tab> name:value,name:value <tab> key <tab> value` */
function toReceived(line: string): Received {
  const [partition = '', offset = '', headers = '', key = '', value = ''] = line.split('\t');
  const pairs = headers
    .split(',')
    .filter((pair) => pair.includes(':'))
    .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)] as const);
  return {
    partition: Number(partition.slice('Partition:'.length)),
    offset: offset.slice('Offset:'.length),
    headers: pairs,
    key: key === NULL ? null : key,
    value: value === NULL ? null : value,
  };
}
