import assert from 'node:assert/strict';
import path from 'node:path';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { type CodecClient, parseValueLines, toValueLines } from './codecClient.ts';

const PROGRAM = path.join(import.meta.dirname, 'CodecClient.java');

async function java(args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await runKafkaTool(PROGRAM, args, { input });
  assert.equal(code, 0, stderr);
  return stdout;
}

export const javaCodecs: CodecClient = {
  name: 'Java',
  async produce(bootstrap, topic, values) {
    await java(['produce', bootstrap, topic], toValueLines(values));
  },
  async consume(bootstrap, topics, count) {
    return parseValueLines(await java(['consume', bootstrap, String(count), ...topics]));
  },
};
