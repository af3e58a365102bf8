import assert from 'node:assert/strict';
import { run } from '../../support/process.ts';
import { type ClientDriver, type Received, sampleRecords } from './describeClient.ts';
import { createTopicWithTool } from './kafkaTools.ts';

interface KcatRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly payload: string | null;
  /** Name, value, name, value. */
  readonly headers?: readonly string[];
}

async function kcat(args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run('kcat', args, { input, timeoutMs: 60_000 });
  assert.equal(code, 0, stderr);
  return stdout;
}

export function connectKcat(bootstrap: string): ClientDriver {
  return {
    // kcat itself creates no topics.
    createTopic: (topic, partitions) => createTopicWithTool(bootstrap, topic, partitions),
    async produce(topic, records) {
      // Headers are the same for all records of one call.
      for (const { key, value, headers } of records) {
        const sent = headers.flatMap(([name, text]) => ['-H', `${name}=${text}`]);
        const options = [...sent, ...(value === null ? ['-Z'] : [])];
        await kcat(
          ['-P', '-b', bootstrap, '-t', topic, '-K', '\t', ...options],
          `${key}\t${value ?? ''}\n`,
        );
      }
    },
    async consume(group, topic, count) {
      const settings = ['-X', 'auto.offset.reset=earliest'];
      const output = await kcat([
        ...['-b', bootstrap, ...settings, '-G', group, '-J', '-q', '-c', String(count), topic],
      ]);
      return output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => toReceived(JSON.parse(line) as KcatRecord));
    },
  };
}

function toReceived({ partition, offset, key, payload, headers = [] }: KcatRecord): Received {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < headers.length; i += 2)
    pairs.push([headers[i] ?? '', headers[i + 1] ?? '']);
  return { partition, offset: String(offset), key, value: payload, headers: pairs };
}

/** Of an empty line's value kcat cannot say whether it is empty or null: without the empty one. */
export const kcatRecords = sampleRecords.filter(({ value }) => value !== '');
