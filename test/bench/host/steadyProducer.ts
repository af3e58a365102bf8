// node steadyProducer.ts BOOTSTRAP TOPIC PARTITIONS RECORDS-PER-SECOND: until it is killed. Says ten times a second how
// many.
import { setTimeout as sleep } from 'node:timers/promises';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { produceMany } from '../../../src/client/produce.ts';

const [bootstrap = '', topic = '', partitions = '', perSecond = ''] = process.argv.slice(2);
const client = new KafkaClient({ bootstrap: [bootstrap] });
const startedMs = performance.now();
const note = 'a record of ordinary size '.repeat(4);
let sent = 0;
let told = 0;
for (;;) {
  const seconds = (performance.now() - startedMs) / 1000;
  const due = Math.floor(seconds * Number(perSecond)) - sent;
  const records = Array.from({ length: Math.min(due, 10_000) }, (_, i) => record(sent + i));
  if (records.length > 0) await produceMany(client, topic, records);
  sent += records.length;
  if (seconds >= told + 0.1) {
    console.log(JSON.stringify({ seconds, sent }));
    told = seconds;
  }
  if (records.length < 10_000) await sleep(50);
}

function record(id: number) {
  return {
    partition: id % Number(partitions),
    key: Buffer.from(`O-${id}`),
    value: Buffer.from(JSON.stringify({ id, total: id % 500, note })),
    headers: [],
    timestamp: BigInt(Date.now()),
  };
}
