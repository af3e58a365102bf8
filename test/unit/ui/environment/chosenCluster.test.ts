import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Emitter } from '../../../../src/base/event.ts';
import type { EmbeddedState } from '../../../../src/cluster/embedded/embeddedState.ts';
import type { ClusterProfile } from '../../../../src/cluster/model.ts';
import { ChosenCluster, choiceOf } from '../../../../src/ui/environment/chosenCluster.ts';

const embeddedProfile: ClusterProfile = {
  id: 'embedded',
  name: 'Embedded',
  kind: 'embedded',
  bootstrap: [],
  readOnly: false,
};
const remote = (name: string, ...bootstrap: string[]): ClusterProfile => {
  return { id: `id of ${name}`, name, kind: 'remote', bootstrap, readOnly: false };
};

describe('the cluster of terminals and debug sessions', () => {
  let state: EmbeddedState;
  let choice: string;
  let profiles: ClusterProfile[];
  let chosen: ChosenCluster;
  let told: (string | undefined)[];
  const states = new Emitter<EmbeddedState>();
  const choices = new Emitter<void>();
  const changes = new Emitter<void>();

  beforeEach(() => {
    state = { kind: 'stopped' };
    choice = 'embedded';
    profiles = [embeddedProfile, remote('staging', 'k1:9092', 'k2:9092')];
    chosen = new ChosenCluster({
      registry: {
        get profiles() {
          return profiles;
        },
        onDidChange: changes.event,
      },
      embedded: {
        get state() {
          return state;
        },
        onDidChangeState: states.event,
      },
      choice: () => choice,
      onDidChangeChoice: (changed) => choices.event(changed),
    });
    told = [];
    chosen.onDidChange(() => told.push(chosen.address?.bootstrap));
  });
  afterEach(() => chosen.dispose());

  function become(next: EmbeddedState): void {
    state = next;
    states.fire(next);
  }

  it('follows the embedded cluster as it starts, stops and moves to another port [K7]', () => {
    assert.equal(chosen.address, undefined);
    become({ kind: 'starting' });
    become({ kind: 'running', bootstrap: '127.0.0.1:9092', pid: 1 });
    become({ kind: 'running', bootstrap: '127.0.0.1:9092', pid: 1 });
    become({ kind: 'stopping' });
    become({ kind: 'running', bootstrap: '127.0.0.1:9093', pid: 2 });
    assert.deepEqual(told, ['127.0.0.1:9092', undefined, '127.0.0.1:9093']);
  });

  it('is another one when the setting names it, and none when it is off or names nothing [K7]', () => {
    become({ kind: 'running', bootstrap: '127.0.0.1:9092', pid: 1 });
    for (const next of ['staging', 'off', ' embedded ', 'nobody']) {
      choice = next;
      choices.fire();
    }
    assert.deepEqual(told.slice(1), ['k1:9092,k2:9092', undefined, '127.0.0.1:9092', undefined]);
  });

  it('goes with its connection when that is edited or removed [K7]', () => {
    choice = 'staging';
    choices.fire();
    profiles = [embeddedProfile, remote('staging', 'k3:9092')];
    changes.fire();
    profiles = [embeddedProfile];
    changes.fire();
    assert.deepEqual(told, ['k1:9092,k2:9092', 'k3:9092', undefined]);
  });

  it('can be a connection that is named like a word of the setting [K7]', () => {
    const off = remote('off', 'k4:9092');
    profiles = [embeddedProfile, off];
    choice = choiceOf(off);
    assert.equal(chosen.address?.bootstrap, 'k4:9092');
  });
});
