import assert from 'node:assert/strict';
import { runKafkaTool } from '../../support/kafka/java.ts';

/** Runs a tool that has to succeed, and returns its standard output. */
export async function kafkaTool(
  className: string,
  bootstrap: string,
  args: readonly string[],
  input = '',
): Promise<string> {
  const server = ['--bootstrap-server', bootstrap];
  const options = { input, timeoutMs: 60_000 };
  const { code, stdout, stderr } = await runKafkaTool(className, [...server, ...args], options);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

export async function createTopicWithTool(
  bootstrap: string,
  topic: string,
  partitions: number,
): Promise<void> {
  const args = ['--create', '--topic', topic, '--partitions', String(partitions)];
  await kafkaTool('org.apache.kafka.tools.TopicCommand', bootstrap, args);
}
