import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  hostAddress,
  hostMatcher,
  hostProblem,
} from '../../../../../src/broker/security/authorizer/hostPattern.ts';

describe('the host of an ACL', () => {
  it('[A9] is anybody, an address or a range of addresses', () => {
    const matches = (pattern: string, host: string): boolean => hostMatcher(pattern)(host);
    assert.equal(matches('*', '10.0.0.7'), true);
    assert.equal(matches('10.0.0.7', '10.0.0.7'), true);
    assert.equal(matches('10.0.0.7', '10.0.0.70'), false);
    assert.equal(matches('10.0.0.0/29', '10.0.0.7'), true);
    assert.equal(matches('10.0.0.0/30', '10.0.0.7'), false);
    assert.equal(matches('2001:db8::/32', '2001:db8:0:0:0:0:0:1'), true);
    assert.equal(matches('2001:db8::/32', '10.0.0.7'), false);
    assert.equal(matches('10.0.0.0/8', '2001:db8:0:0:0:0:0:1'), false);
    assert.equal(matches('10.0.0.0/33', '10.0.0.7'), false);
  });

  it('[A9] is refused in words where it is no range', () => {
    for (const good of ['*', '10.0.0.7', 'some.name', '10.0.0.0/8', '::/0'])
      assert.equal(hostProblem(good), undefined);
    for (const bad of ['', '10.0.0.0/33', '::/129', 'x/8', '10.0.0.0/', '/8', '10.0.0.0/8/8'])
      assert.equal(typeof hostProblem(bad), 'string', bad);
  });

  it('[A9] is compared with the address as Java writes it', () => {
    assert.equal(hostAddress('/127.0.0.1'), '127.0.0.1');
    assert.equal(hostAddress('/::1'), '0:0:0:0:0:0:0:1');
    assert.equal(hostAddress('/fe80::1:00a2%eth0'), 'fe80:0:0:0:0:0:1:a2');
    assert.equal(hostAddress('/2001:db8::'), '2001:db8:0:0:0:0:0:0');
    assert.equal(hostAddress('/1:2:3:4:5:6:7:8'), '1:2:3:4:5:6:7:8');
    assert.equal(hostAddress('/unknown'), 'unknown');
  });
});
