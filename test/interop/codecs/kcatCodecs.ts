import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runForBytes } from './runForBytes.ts';
import { type CodecClient, CODECS, ValueCollector } from './codecClient.ts';

// librdkafka sends a batch as it is if compression gains nothing: it has to wait for all the values.
const BATCHED = ['-X', 'linger.ms=300'];

export const kcatCodecs: CodecClient = {
  name: 'kcat (librdkafka)',

  async produce(bootstrap, topic, values) {
    const folder = await mkdtemp(path.join(tmpdir(), 'kcat-'));
    // Each file named on its command line is one message, byte for byte.
    const files = values.map((_, i) => path.join(folder, String(i)));
    for (const [i, value] of values.entries()) await writeFile(files[i] ?? '', value);
    for (const [partition, codec] of CODECS.entries()) {
      const target = ['-P', '-b', bootstrap, '-t', topic, '-p', String(partition)];
      await runForBytes('kcat', [...target, '-z', codec, ...BATCHED, ...files]);
    }
    await rm(folder, { recursive: true });
  },

  async consume(bootstrap, topics, count) {
    const collector = new ValueCollector();
    for (const topic of topics) {
      const wanted = ['-c', String(count * CODECS.length)];
      const source = ['-C', '-q', '-b', bootstrap, '-t', topic, '-o', 'beginning'];
      const output = await runForBytes('kcat', [...source, ...wanted, '-f', '%p %S\n%s']);
      readSized(output, (partition, value) => collector.add(topic, partition, value));
    }
    return collector.values;
  },
};

/** `partition size`, a line feed, and so many bytes; again and again. */
function readSized(output: Buffer, add: (partition: number, value: Buffer) => void): void {
  let position = 0;
  while (position < output.length) {
    const lineEnd = output.indexOf('\n', position);
    assert.notEqual(lineEnd, -1);
    const [partition, size] = output.toString('latin1', position, lineEnd).split(' ').map(Number);
    const end = lineEnd + 1 + (size ?? 0);
    add(partition ?? -1, output.subarray(lineEnd + 1, end));
    position = end;
  }
}
