import path from 'node:path';
import { python } from '../support/python.ts';
import { type CodecClient, parseValueLines, toValueLines } from './codecClient.ts';

const PROGRAM = path.join(import.meta.dirname, 'codec_client.py');

export const pythonCodecs: CodecClient = {
  name: 'kafka-python',
  async produce(bootstrap, topic, values) {
    await python([PROGRAM, 'produce', bootstrap, topic], toValueLines(values));
  },
  async consume(bootstrap, topics, count) {
    return parseValueLines(await python([PROGRAM, 'consume', bootstrap, String(count), ...topics]));
  },
};
