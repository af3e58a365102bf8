import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { CoordinatorRecord } from '../../../src/coordinator/ports.ts';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { ScriptedConsumer } from '../../unit/coordinator/support/consumers.ts';
import { Scenario, stabilise } from '../../unit/coordinator/support/scenario.ts';

describe('kafka-dump-log --offsets-decoder', () => {
  it('reads our groups, commits and tombstones', async function () {
    this.timeout(120_000);
    const scenario = await Scenario.start({ config: { offsetsTopicPartitions: 1 } });
    const member = scenario.member('app', { groupInstanceId: 'one' });
    await stabilise(scenario, member);
    await member.commit('orders', 2, 42n);
    await scenario.call('offsetCommit', 4, {
      groupId: 'simple',
      retentionTimeMs: 60_000n,
      topics: [{ name: 'payments', partitions: [{ partitionIndex: 0, committedOffset: 7n }] }],
    });
    await member.leave();
    await scenario.call('deleteGroups', 3, { groupsNames: ['group'] });
    const dump = await dumpOf(scenario.writer.logs.get(0) ?? []);
    const lines = dump.split('\n').filter((line) => line.includes(' key: '));
    const [created, stable, offset, old, empty, offsetGone, groupGone] = lines;
    assert.equal(lines.length, 7, dump);
    assert.match(created ?? '', /"type":"2".*"group":"group".*"generation":0/);
    assert.match(stable ?? '', /"version":"3".*"protocolType":"consumer".*"generation":1/);
    assert.match(stable ?? '', new RegExp(`"memberId":"${member.memberId}"`));
    assert.match(
      stable ?? '',
      /"groupInstanceId":"one".*"clientId":"app".*"rebalanceTimeout":60000/,
    );
    assert.match(offset ?? '', /"type":"1".*"topic":"orders".*"partition":2/);
    assert.match(offset ?? '', /"version":"4".*"offset":42/);
    assert.match(
      offset ?? '',
      new RegExp(`"topicId":"${scenario.topics.topicId('orders') ?? ''}"`),
    );
    assert.match(old ?? '', /"version":"1".*"offset":7.*"expireTimestamp":/);
    assert.match(empty ?? '', /"generation":2.*"members":\[\]/);
    for (const gone of [offsetGone, groupGone]) assert.match(gone ?? '', /payload: <DELETE>/);
  });
});

describe('kafka-dump-log --offsets-decoder of a consumer group', () => {
  it('[A7] reads every kind of its records, and their tombstones', async function () {
    this.timeout(120_000);
    const scenario = await Scenario.start({ config: { offsetsTopicPartitions: 1 } });
    const member = new ScriptedConsumer(scenario, {
      memberId: 'm',
      instanceId: 'i',
      serverAssignor: 'range',
      regex: 'pay.*',
    });
    await member.beat();
    for (let turn = 0; turn < 3; turn++) await scenario.pass(1);
    await member.leave();
    await scenario.call('deleteGroups', 3, { groupsNames: ['group'] });
    const dump = await dumpOf(scenario.writer.logs.get(0) ?? []);
    const lines = dump.split('\n').filter((line) => line.includes(' key: '));
    const kinds = [
      '5',
      '3',
      '7',
      '6',
      '8',
      '16',
      '3',
      '8',
      '7',
      '5',
      '16',
      '3',
      '6',
      '6',
      '4',
      '3',
    ];
    assert.deepEqual(
      lines.map((line) => /key: \{"type":"(\d+)"/.exec(line)?.[1]),
      kinds,
      dump,
    );
    const [subscribed, epoch, target, targetEpoch, current, regex] = lines;
    assert.match(subscribed ?? '', /"memberId":"m".*"instanceId":"i".*"serverAssignor":"range"/);
    assert.match(subscribed ?? '', /"subscribedTopicRegex":"pay.\*".*"classicMemberMetadata":null/);
    assert.match(epoch ?? '', /"epoch":2,"metadataHash":-?\d{10,}/);
    assert.match(target ?? '', /"partitions":\[0,1,2\]/);
    assert.match(targetEpoch ?? '', /"assignmentEpoch":2,"assignmentTimestamp":\d+/);
    assert.match(current ?? '', /"memberEpoch":2,"previousMemberEpoch":0,"state":0/);
    assert.match(current ?? '', /"partitions":\[0,1,2\],"assignmentEpochs":\[2,2,2\]/);
    assert.match(regex ?? '', /"regularExpression":"pay.\*".*"topics":\["payments"\]/);
    assert.equal(lines.filter((line) => line.includes('payload: <DELETE>')).length, 7, dump);
  });
});

/** What Kafka's own tool says of a segment with these records. */
async function dumpOf(records: readonly CoordinatorRecord[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'offsets-'));
  try {
    const partition = path.join(folder, '__consumer_offsets-0');
    await mkdir(partition);
    const segment = path.join(partition, '00000000000000000000.log');
    const timestamp = 1_700_000_000_000n;
    const batch = buildRecordBatch({
      records: records.map(({ key, value }) => ({ key, value, timestamp })),
    });
    await writeFile(segment, batch);
    const { code, stdout } = await runKafkaTool('org.apache.kafka.tools.DumpLogSegments', [
      '--offsets-decoder',
      '--files',
      segment,
    ]);
    assert.equal(code, 0, stdout);
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
