import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ConnectionError, SecurityError } from '../../../../src/client/kafkaError.ts';
import type { ClusterProfile } from '../../../../src/cluster/model.ts';
import { unreachableConnection } from '../../../../src/ui/commands/unreachableConnection.ts';

const profile = (id: string, ...bootstrap: string[]): ClusterProfile => ({
  ...{ id, name: id, kind: 'remote', bootstrap, readOnly: false },
});
const embedded: ClusterProfile = { ...profile('embedded', '127.0.0.1:1'), kind: 'embedded' };
const [one, two, twin] = [
  profile('one', '127.0.0.1:1'),
  profile('two', 'b:1', 'b:2'),
  profile('twin', 'b:1'),
];
const failed = (address: string): Error => new ConnectionError('refused', { address });

describe('the connection that could not be reached', () => {
  it('is that of the row, unless the cluster is the embedded one', () => {
    assert.equal(unreachableConnection(failed('advertised:9'), [one, two], two), two);
    assert.equal(
      unreachableConnection(failed('127.0.0.1:1'), [embedded, one], embedded),
      undefined,
    );
  });

  it('is the one that has the address, or all of them, where no row says it', () => {
    assert.equal(unreachableConnection(failed('127.0.0.1:1'), [embedded, one, two]), one);
    assert.equal(unreachableConnection(failed('b:1, b:2'), [one, two, twin]), two);
    const refused = new SecurityError('no', { address: 'b:2', hint: '' });
    assert.equal(unreachableConnection(refused, [one, two, twin]), two);
  });

  it('is none where several have the address, and where something else failed', () => {
    assert.equal(unreachableConnection(failed('b:1'), [two, twin]), undefined);
    assert.equal(unreachableConnection(new Error('127.0.0.1:1'), [one], one), undefined);
  });
});
