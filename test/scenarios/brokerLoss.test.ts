import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { describe as describeNode } from '../../src/ui/trees/describe.ts';
import type { RowText } from '../../src/ui/trees/rowText.ts';
import { type KafkaBrokers, startKafkaBrokers } from '../support/kafka/kafkaBrokers.ts';
import { eventually } from './clusters.ts';
import { Tree } from './tree.ts';

describe('the tree of Apache Kafka 4.4 with two brokers, of which one is lost', function () {
  this.timeout(180_000);
  let kafka: KafkaBrokers;
  let tree: Tree;

  before(async () => {
    kafka = await startKafkaBrokers(2);
    const profile = {
      id: 'two',
      name: 'two',
      kind: 'remote',
      bootstrap: [kafka.bootstrap],
      readOnly: false,
    } as const;
    tree = new Tree(new ClusterSession(profile));
    await eventually(async () => (await tree.session.brokers()).length === 2, 60_000);
    const assigned = (...brokerIds: number[]) => ({
      numPartitions: -1,
      replicationFactor: -1,
      configs: [],
      assignments: [{ partitionIndex: 0, brokerIds }],
    });
    await tree.session.use((client) =>
      client.request(
        'createTopics',
        {
          topics: [
            { name: 'both', ...assigned(1, 2) },
            { name: 'lost', ...assigned(2) },
            { name: 'safe', ...assigned(1) },
          ],
          timeoutMs: 15_000,
          validateOnly: false,
        },
        { to: 'controller', isRepeatable: false },
      ),
    );
  });

  after(async () => {
    tree.dispose();
    await kafka.stop();
  });

  async function rows(...path: string[]): Promise<RowText[]> {
    await tree.model.refresh();
    return (await tree.open('two', ...path)).map(({ node }) => describeNode(node));
  }

  it('marks what is under-replicated and what is offline, and counts both [C3]', async () => {
    await eventually(async () => {
      const topics = await rows('Topics');
      return topics.length === 3 && topics.every(({ health }) => health === undefined);
    }, 60_000);
    assert.equal(tree.model.troubleCount, 0);
    await kafka.kill9(2);
    await eventually(async () => {
      const healths = (await rows('Topics')).map(({ health }) => health);
      return healths.join() === 'underReplicated,offline,';
    }, 90_000);
    const [both, lost, safe] = await rows('Topics');
    assert.match(both?.description ?? '', /^⚠ 1 under-replicated · /);
    assert.match(lost?.description ?? '', /^⚠ 1 offline, 1 under-replicated · /);
    assert.match(lost?.spoken ?? '', /1 offline/);
    assert.deepEqual([both?.icon, lost?.icon, safe?.icon], ['warning', 'error', 'list-unordered']);
    assert.equal(tree.model.troubleCount, 2);
  });

  it('shows a partition without a leader beside those that have one, and why it cannot be read [C2] [C3]', async () => {
    await tree.open('two', 'Topics', 'lost');
    await tree.open('two', 'Topics', 'both');
    const [lost] = await rows('Topics', 'lost');
    assert.match(lost?.description ?? '', /^⚠ no leader/);
    const [both] = await rows('Topics', 'both');
    assert.match(both?.description ?? '', /^⚠ under-replicated {3}0 … 0 {3}leader 1$/);
    const [cell] = await tree.open('two', 'Topics', 'both');
    assert.ok(cell);
    const tooltip = await tree.model.tooltip(cell, new AbortController().signal);
    const facts = new Map(tooltip?.flatMap((line) => (typeof line === 'string' ? [] : [line])));
    assert.equal(facts.get('Log end offset'), '0');
    assert.match(facts.get('Replica on broker 2') ?? '', /^not in sync · log end unknown: .+/);
  });
});
