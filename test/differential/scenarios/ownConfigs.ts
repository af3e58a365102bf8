// Configs of groups and of subscriptions to clients' metrics, and what they do.
import type { RequestInput, Response } from '../../wire/broker/support/rawClient.ts';
import type { Run, Scenarios } from '../support/run.ts';

const types = { group: 32, clientMetrics: 16 } as const;
const operations = { set: 0, delete: 1, append: 2, subtract: 3 } as const;

type Change = readonly [name: string, operation: keyof typeof operations, value: string | null];

const alter = (
  resourceType: number,
  resourceName: string,
  changes: readonly Change[],
): RequestInput<'incrementalAlterConfigs'> => ({
  resources: [
    {
      resourceType,
      resourceName,
      configs: changes.map(([name, operation, value]) => ({
        name,
        configOperation: operations[operation],
        value,
      })),
    },
  ],
});

async function described(run: Run, resourceType: number, resourceName: string): Promise<void> {
  for (const includeSynonyms of [false, true])
    await run.last('describeConfigs', {
      resources: [{ resourceType, resourceName, configurationKeys: null }],
      includeSynonyms,
    });
}

async function untilListed(run: Run, type: number, name: string, isThere: boolean): Promise<void> {
  const ownOf = ({ configResources }: Response<'listConfigResources'>) =>
    configResources.filter(({ resourceName }) => resourceName === name);
  const listed = await run.until(
    ['listConfigResources', 1, { resourceTypes: [type] }],
    (response) => ownOf(response).length > 0 === isThere,
  );
  run.exchanges.pop(); // with what other scenarios have set
  run.note('listConfigResources', 1, { ...listed, configResources: ownOf(listed) }, name);
}

const refusedGroupChanges: Record<string, readonly Change[]> = {
  'an unknown key': [['retention.ms', 'set', '1']],
  'the name of the broker config': [['group.consumer.session.timeout.ms', 'set', '50000']],
  'too short a session': [['consumer.session.timeout.ms', 'set', '44999']],
  'too long a session': [['consumer.session.timeout.ms', 'set', '60001']],
  'too short a heartbeat': [['consumer.heartbeat.interval.ms', 'set', '4999']],
  'too long a heartbeat': [['consumer.heartbeat.interval.ms', 'set', '15001']],
  'no number': [['consumer.session.timeout.ms', 'set', 'soon']],
  'no value': [['consumer.session.timeout.ms', 'set', null]],
  'appending to a number': [['consumer.session.timeout.ms', 'append', '1']],
  'the same key twice': [
    ['consumer.session.timeout.ms', 'set', '50000'],
    ['consumer.session.timeout.ms', 'set', '51000'],
  ],
  'deleting what is not set': [['consumer.session.timeout.ms', 'delete', null]],
};

const refusedSubscriptions: Record<string, readonly Change[]> = {
  'an unknown key': [['retention.ms', 'set', '1']],
  'too short an interval': [['interval.ms', 'set', '99']],
  'too long an interval': [['interval.ms', 'set', '3600001']],
  'no number': [['interval.ms', 'set', 'soon']],
  'a match of nothing': [['match', 'set', 'client_id']],
  'a match of what is not told': [['match', 'set', 'planet=earth']],
  'a match that is no pattern': [['match', 'set', 'client_id=(']],
  'two signs': [['match', 'set', 'client_id=a=b']],
  'two signs, of which one has nothing behind it': [['match', 'set', 'client_id=a=,']],
  'blanks that Java does not take for such': [['match', 'set', '\u00a0client_id=a']],
  'no value': [['metrics', 'set', null]],
};

export const ownConfigScenarios: Scenarios = {
  async 'a group is given settings of its own'(run) {
    const group = run.fresh('group');
    await described(run, types.group, group);
    await run.each('incrementalAlterConfigs', () =>
      alter(types.group, group, [['consumer.session.timeout.ms', 'set', '50000']]),
    );
    await untilListed(run, types.group, group, true);
    await described(run, types.group, group);
    await run.last(
      'incrementalAlterConfigs',
      alter(types.group, group, [['consumer.session.timeout.ms', 'delete', null]]),
    );
    await untilListed(run, types.group, group, false);
  },

  async 'settings that a group cannot have'(run) {
    const group = run.fresh('group');
    for (const [label, changes] of Object.entries(refusedGroupChanges))
      await run.last('incrementalAlterConfigs', alter(types.group, group, changes), { label });
    const session: readonly Change[] = [['consumer.session.timeout.ms', 'set', '50000']];
    await run.last('incrementalAlterConfigs', alter(types.group, '', session), {
      label: 'no name',
    });
    await described(run, types.group, '');
    const configs = [{ name: 'consumer.session.timeout.ms', value: '50000' }];
    const resource = { resourceType: types.group, resourceName: group, configs };
    await run.last('alterConfigs', { resources: [resource], validateOnly: true });
  },

  async 'a member is told the heartbeat interval of its group'(run) {
    const topic = await run.topic();
    const groupId = run.fresh('group');
    await run.last(
      'incrementalAlterConfigs',
      alter(types.group, groupId, [['consumer.heartbeat.interval.ms', 'set', '7000']]),
    );
    await untilListed(run, types.group, groupId, true);
    const member = {
      groupId,
      memberId: 'member',
      rebalanceTimeoutMs: 60_000,
      subscribedTopicNames: [topic.name],
      topicPartitions: [],
    };
    // A setting is listed a moment before groups go by it.
    await run.until(
      [
        'consumerGroupHeartbeat',
        run.latest('consumerGroupHeartbeat'),
        { ...member, memberEpoch: 0 },
      ],
      ({ heartbeatIntervalMs }) => heartbeatIntervalMs === 7000,
    );
    await run.last('consumerGroupHeartbeat', { groupId, memberId: 'member', memberEpoch: -1 });
  },

  async 'subscriptions to metrics are made, shown and removed'(run) {
    const name = run.fresh('subscription');
    await described(run, types.clientMetrics, name);
    await run.last(
      'incrementalAlterConfigs',
      alter(types.clientMetrics, name, [
        ['interval.ms', 'set', '1000'],
        ['metrics', 'set', 'org.apache.kafka.producer.,org.apache.kafka.consumer.,org.b,org.a'],
        ['match', 'set', 'client_id=nobody-.*,client_source_port=1'],
      ]),
    );
    await untilListed(run, types.clientMetrics, name, true);
    await run.last('listConfigResources', { resourceTypes: [types.clientMetrics] });
    await run.ask('listConfigResources', 0, {});
    await described(run, types.clientMetrics, name);
    const gone = ['interval.ms', 'metrics', 'match'].map((key) => [key, 'delete', null] as const);
    await run.last('incrementalAlterConfigs', alter(types.clientMetrics, name, gone));
    await untilListed(run, types.clientMetrics, name, false);
  },

  async 'subscriptions that cannot be'(run) {
    const name = run.fresh('subscription');
    for (const [label, changes] of Object.entries(refusedSubscriptions))
      await run.last('incrementalAlterConfigs', alter(types.clientMetrics, name, changes), {
        label,
      });
    const all: readonly Change[] = [['metrics', 'set', '*']];
    await run.last('incrementalAlterConfigs', alter(types.clientMetrics, '', all), {
      label: 'no name',
    });
    await described(run, types.clientMetrics, '');
  },

  async 'a client is told what is subscribed of it'(run) {
    const name = run.fresh('subscription');
    const [wanted, other] = ['d2FudGVkLWNsaWVudC1pZA', 'YW5vdGhlci1jbGllbnQtaQ'];
    const client = await run.connect('wanted-client');
    await client.call('apiVersions', 3, {
      clientSoftwareName: 'some-software',
      clientSoftwareVersion: '1.2.3',
    });
    await run.ask('getTelemetrySubscriptions', 0, { clientInstanceId: wanted }, { on: client });
    await run.last(
      'incrementalAlterConfigs',
      alter(types.clientMetrics, name, [
        ['interval.ms', 'set', '200'],
        ['metrics', 'set', 'org.apache.kafka.producer.,org.apache.kafka.consumer.,org.b,org.a'],
        [
          'match',
          'set',
          'client_id=wanted-.*,client_software_name=some-software,client_software_version=1\\.2.*,client_source_address=127.*',
        ],
      ]),
    );
    await untilListed(run, types.clientMetrics, name, true);
    const asked = { clientInstanceId: wanted };
    // A subscription is listed a moment before clients are told of it.
    const told = await run.until(
      ['getTelemetrySubscriptions', 0, asked],
      ({ requestedMetrics }) => requestedMetrics.length > 0,
      'now',
      client,
    );
    await run.ask(
      'pushTelemetry',
      0,
      { ...asked, subscriptionId: told.subscriptionId, metrics: Buffer.from('m') },
      { on: client },
    );
    await run.ask('getTelemetrySubscriptions', 0, { clientInstanceId: other }, { label: 'other' });
    const gone = ['interval.ms', 'metrics', 'match'].map((key) => [key, 'delete', null] as const);
    await run.last('incrementalAlterConfigs', alter(types.clientMetrics, name, gone));
    await untilListed(run, types.clientMetrics, name, false);
    await run.until(
      ['getTelemetrySubscriptions', 0, asked],
      ({ errorCode, requestedMetrics }) => errorCode === 0 && requestedMetrics.length === 0,
      'gone',
      client,
    );
  },
};
