// GetTelemetrySubscriptions and PushTelemetry, which Kafka serves without telling of it, and ListConfigResources.
import { zeroUuid } from '../../../src/protocol/schema.ts';
import { createHash } from 'node:crypto';
import { type CompressionType, compress } from '../../../src/protocol/records/compression.ts';
import { changing } from '../support/configRequests.ts';
import type { Scenarios } from '../support/run.ts';

const clientMetrics = 16;

/** Different ids of clients. */
const someId = 'c29tZS1jbGllbnQtaWQtMQ';
const otherId = 'b3RoZXItY2xpZW50LWlkLQ';
const thirdId = 'dGhpcmQtY2xpZW50LWlkMQ';

/** The same on both sides. */
const idOf = (what: string) => createHash('md5').update(what).digest('base64url');

const push = (clientInstanceId: string, more: object = {}) => ({
  clientInstanceId,
  subscriptionId: 1,
  terminating: false,
  compressionType: 0,
  metrics: Buffer.from('metrics'),
  ...more,
});

const subscriber = 'subscribes-to-several';

/** The subscription of the subscriber's clients to metrics, or its end. */
const subscribing = (name: string, metrics: readonly string[] | null) =>
  changing(clientMetrics, name, [
    ['match', metrics ? 'set' : 'delete', `client_id=${subscriber}`],
    ['metrics', metrics ? 'set' : 'delete', metrics?.join() ?? null],
  ]);

export const telemetryScenarios: Scenarios = {
  async 'GetTelemetrySubscriptions where nobody subscribes'(run) {
    await run.closing('getTelemetrySubscriptions', 0, { clientInstanceId: someId }, 'with an id');
    await run.closing('getTelemetrySubscriptions', 0, { clientInstanceId: someId }, 'too soon');
  },

  async 'GetTelemetrySubscriptions forgets a client with the connection that told of it'(run) {
    const asked = { clientInstanceId: thirdId };
    const first = await run.connect();
    const later = await run.connect();
    await run.ask('getTelemetrySubscriptions', 0, asked, { on: first });
    await run.ask('getTelemetrySubscriptions', 0, asked, { on: later, label: 'from elsewhere' });
    first.close();
    const isThere = ({ errorCode }: { errorCode?: number }) => errorCode === 0;
    await run.until(['getTelemetrySubscriptions', 0, asked], isThere, 'once that has gone', later);
  },

  async 'PushTelemetry with what is known, and with what is not'(run) {
    const asked = await run.prepare('getTelemetrySubscriptions', 0, { clientInstanceId: otherId });
    const { subscriptionId } = asked;
    await run.closing('pushTelemetry', 0, push(otherId, { subscriptionId: subscriptionId + 1 }));
    await run.closing('getTelemetrySubscriptions', 0, { clientInstanceId: otherId }, 'again');
    const good = push(otherId, { subscriptionId });
    await run.closing('pushTelemetry', 0, { ...good, compressionType: 9 }, 'no such codec');
    await run.closing('getTelemetrySubscriptions', 0, { clientInstanceId: otherId }, 'again');
    const metrics = Buffer.alloc((1 << 20) + 1);
    await run.closing('pushTelemetry', 0, { ...good, metrics }, 'too large');
    await run.closing('pushTelemetry', 0, good, 'too soon');
    await run.closing('pushTelemetry', 0, { ...good, terminating: true }, 'terminating');
    await run.closing('pushTelemetry', 0, { ...good, terminating: true }, 'after the end');
    await run.closing('pushTelemetry', 0, push(zeroUuid), 'no id');
  },

  async 'PushTelemetry that is refused at first'(run) {
    const large = Buffer.alloc((1 << 20) + 1);
    for (const [label, more] of Object.entries({
      'no such codec': { compressionType: 9 },
      'too large': { metrics: large },
      'no such codec, and too large': { compressionType: -1, metrics: large },
      'terminating, and too large': { terminating: true, metrics: large },
    })) {
      const clientInstanceId = idOf(label);
      const asked = await run.prepare('getTelemetrySubscriptions', 0, { clientInstanceId });
      const sent = push(clientInstanceId, { subscriptionId: asked.subscriptionId, ...more });
      await run.ask('pushTelemetry', 0, sent, { label });
      await run.ask('pushTelemetry', 0, sent, { label: `${label}, again` });
      await run.ask('getTelemetrySubscriptions', 0, { clientInstanceId }, { label });
    }
  },

  async 'PushTelemetry with metrics that are compressed, or say so'(run) {
    const large = Buffer.alloc((1 << 20) + 1);
    const types: readonly CompressionType[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
    for (const [compressionType, type] of types.entries())
      for (const [label, metrics] of Object.entries({
        good: compress(type, Buffer.from('metrics')),
        empty: Buffer.alloc(0),
        junk: Buffer.from('metrics'),
        'cut off': compress(type, Buffer.from('metrics')).subarray(0, -1),
        'too large': compress(type, type === 'none' ? large.subarray(1) : large),
      })) {
        const clientInstanceId = idOf(`${type} ${label}`);
        const asked = await run.prepare('getTelemetrySubscriptions', 0, { clientInstanceId });
        const sent = { subscriptionId: asked.subscriptionId, compressionType, metrics };
        await run.ask('pushTelemetry', 0, push(clientInstanceId, sent), {
          label: `${type}, ${label}`,
        });
      }
  },

  async 'GetTelemetrySubscriptions of several subscriptions'(run) {
    const clientInstanceId = idOf('of several');
    const subscriptions = [
      ['org.apache.kafka.producer.', 'org.apache.kafka.consumer.fetch', 'b', 'a'],
      ['org.apache.kafka.consumer.', 'b', ...Array.from({ length: 20 }, (_, i) => `metric.${i}`)],
    ].map((metrics) => ({ metrics, name: run.fresh('subscription') }));
    for (const { name, metrics } of subscriptions)
      await run.last('incrementalAlterConfigs', subscribing(name, metrics));
    const client = await run.connect(subscriber);
    // Who has asked once is told no more for a while: others look whether all is known.
    for (let i = 0, known = 0; known < 25; i++) {
      const looking = { clientInstanceId: idOf(`looks ${i}`) };
      const { requestedMetrics } = await client.call('getTelemetrySubscriptions', 0, looking);
      known = requestedMetrics.length;
    }
    await run.ask('getTelemetrySubscriptions', 0, { clientInstanceId }, { on: client });
    for (const { name } of subscriptions)
      await run.last('incrementalAlterConfigs', subscribing(name, null));
  },

  async ListConfigResources(run) {
    const { name } = await run.topic();
    for (const version of run.versions('listConfigResources')) {
      for (const types of version === 0 ? [[]] : [[4], [8], [4, 8], [4, 4]])
        await run.ask(
          'listConfigResources',
          version,
          { resourceTypes: types },
          { label: types.join() },
        );
      if (version === 0) continue;
      const all = await run.prepare('listConfigResources', version, { resourceTypes: [] });
      const own = all.configResources.filter(({ resourceName }) => resourceName === name);
      run.note('listConfigResources', version, { ...all, configResources: own }, 'all');
      for (const type of [0, 1, 3, 64])
        await run.ask(
          'listConfigResources',
          version,
          { resourceTypes: [2, type] },
          { label: `type ${type}` },
        );
    }
  },
};
