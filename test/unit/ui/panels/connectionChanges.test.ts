import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Emitter } from '../../../../src/base/event.ts';
import type { ConnectionState } from '../../../../src/cluster/model.ts';
import { whenConnected, whenStateChanges } from '../../../../src/ui/panels/connectionChanges.ts';

class Session {
  readonly emitter = new Emitter<ConnectionState>();
  readonly onDidChangeState = this.emitter.event;
  state: ConnectionState = { kind: 'stopped' };

  become(state: ConnectionState): void {
    this.state = state;
    this.emitter.fire(state);
  }
}

class Registry {
  readonly emitter = new Emitter<void>();
  readonly onDidChange = this.emitter.event;
  current: Session | undefined = new Session();

  session(): Session | undefined {
    return this.current;
  }

  replace(session: Session | undefined): void {
    this.current = session;
    this.emitter.fire();
  }
}

const connected: ConnectionState = { kind: 'connected', bootstrap: 'b:9092', clusterId: 'k' };

describe('A panel that follows its connection', () => {
  it('learns of the state of the session that takes the place of another after an edit', () => {
    const registry = new Registry();
    const told: string[] = [];
    const following = whenStateChanges(registry, 'c', ({ kind }) => told.push(kind));
    const before = registry.current;
    before?.become(connected);
    const after = new Session();
    registry.replace(after);
    assert.deepEqual(told, ['connected', 'stopped']);
    before?.become({ kind: 'connecting' });
    after.become(connected);
    assert.deepEqual(told, ['connected', 'stopped', 'connected']);
    following.dispose();
    after.become({ kind: 'stopped' });
    registry.replace(new Session());
    assert.equal(told.length, 3);
  });

  it('is told that a connection is there where the new session is connected already', () => {
    const registry = new Registry();
    let times = 0;
    whenConnected(registry, 'c', () => times++);
    const after = new Session();
    after.state = connected;
    registry.replace(after);
    assert.equal(times, 1);
  });

  it('learns that its connection was removed, and of nothing where another was changed', () => {
    const registry = new Registry();
    const told: string[] = [];
    whenStateChanges(registry, 'c', ({ kind }) => told.push(kind));
    registry.emitter.fire();
    assert.deepEqual(told, []);
    registry.replace(undefined);
    assert.deepEqual(told, ['stopped']);
  });
});
