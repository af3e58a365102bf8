import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type CommandRequest,
  offsetCommands,
  offsetCommandText,
} from '../../../../src/cluster/offsets/offsetCommand.ts';

const row = (partition: number, target: bigint | null, isEdited = false) => {
  return { topic: 'orders', partition, target, isEdited };
};
const text = (change: Partial<CommandRequest>): string =>
  offsetCommandText(
    offsetCommands({
      bootstrap: 'localhost:9092',
      group: 'billing',
      scenario: { kind: 'earliest' },
      rows: [row(1, 0n), row(0, 0n)],
      partitionCounts: new Map([['orders', 3]]),
      ...change,
    }),
  );
const start = 'kafka-consumer-groups.sh --bootstrap-server localhost:9092 --group billing';

describe('the equivalent kafka-consumer-groups command', () => {
  it('names the scenario and the partitions, or the topic where it is all of them [F6]', () => {
    assert.equal(text({}), `${start} --reset-offsets --topic orders:0,1 --to-earliest --execute\n`);
    const partitionCounts = new Map([['orders', 2]]);
    assert.match(text({ partitionCounts }), /--topic orders --to-earliest/);
  });

  it('writes times and durations as the tool reads them [F6]', () => {
    assert.match(text({ scenario: { kind: 'time', timestamp: 0n } }), /1970-01-01T00:00:00\.000Z/);
    assert.match(text({ scenario: { kind: 'duration', agoMs: 5_400_250n } }), /PT5400\.250S/);
    assert.match(text({ scenario: { kind: 'shift', by: -5n } }), /--shift-by -5/);
  });

  it('is from a file where a row was edited or no scenario of the tool says it [F6]', () => {
    assert.equal(
      text({ rows: [row(0, 7n, true), row(1, 0n)] }),
      `# 2 partitions\ncat > offsets.csv <<'END'\norders,0,7\norders,1,0\nEND\n${start} --reset-offsets --from-file offsets.csv --execute\n`,
    );
    assert.match(text({ scenario: { kind: 'group', group: 'other' } }), /--from-file/);
  });

  it('deletes commits, beside setting others [F6] [F7]', () => {
    const rows = [row(0, 7n), row(1, null)];
    assert.match(text({ rows }), /--execute\n\nkafka.* --delete-offsets --topic orders:1\n$/s);
  });

  it('keeps a shell from reading more into a group than its name [F6]', () => {
    assert.match(text({ group: "$(rm) it's" }), /--group '\$\(rm\) it'\\''s' /);
  });
});
