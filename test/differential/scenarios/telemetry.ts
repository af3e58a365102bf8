// GetTelemetrySubscriptions and PushTelemetry, which Kafka serves without telling of it, and ListConfigResources.
import { zeroUuid } from '../../../src/protocol/schema.ts';
import { createHash } from 'node:crypto';
import { type CompressionType, compress } from '../../../src/protocol/records/compression.ts';
import type { Scenarios } from '../support/run.ts';

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
