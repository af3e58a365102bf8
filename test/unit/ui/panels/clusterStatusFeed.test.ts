import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { Emitter } from '../../../../src/base/event.ts';
import type { ClusterRegistry } from '../../../../src/cluster/clusterRegistry.ts';
import { ClusterSession } from '../../../../src/cluster/clusterSession.ts';
import { embeddedProfile } from '../../../../src/cluster/embedded/embeddedProfile.ts';
import type { EmbeddedState } from '../../../../src/cluster/embedded/embeddedState.ts';
import type { ClusterProfile } from '../../../../src/cluster/model.ts';
import type { ClusterStatus } from '../../../../src/shared/contracts/clusterStatus.ts';
import { ClusterStatusFeed } from '../../../../src/ui/panels/clusterStatusFeed.ts';

const remote: ClusterProfile = {
  ...{ id: 'staging', name: 'staging', kind: 'remote', readOnly: false },
  // Nothing listens there: no test server has the port of discard.
  bootstrap: ['127.0.0.1:9'],
};

describe('The status of a cluster, as a page is told it', () => {
  let state: EmbeddedState;
  let starts: number;
  let stateEmitter: Emitter<EmbeddedState>;
  let told: ClusterStatus[];
  let session: ClusterSession;
  let isRemoved = false;

  const feed = (cluster: ClusterProfile): ClusterStatusFeed => {
    const made = new ClusterStatusFeed(
      {
        registry: {
          session: () => session,
          profile: (id: string) => (isRemoved ? undefined : { ...remote, id }),
          onDidChange: new Emitter<void>().event,
        } as unknown as ClusterRegistry,
        embedded: {
          get state() {
            return state;
          },
          onDidChangeState: stateEmitter.event,
          start: () => Promise.resolve(starts++),
        },
      },
      cluster,
    );
    made.onDidChange((status) => told.push(status));
    return made;
  };

  beforeEach(() => {
    state = { kind: 'running', bootstrap: '127.0.0.1:9092', pid: 1 };
    stateEmitter = new Emitter();
    starts = 0;
    told = [];
    session = new ClusterSession(remote);
  });

  it('says at once that the embedded cluster has stopped or crashed, and that it can be started', async () => {
    const status = feed(embeddedProfile());
    assert.deepEqual(status.status, { state: 'up' });
    const states: EmbeddedState[] = [
      { kind: 'stopping' },
      { kind: 'crashed', message: 'it ended unexpectedly', logTail: '' },
      { kind: 'starting' },
    ];
    for (const next of states) {
      state = next;
      stateEmitter.fire(next);
    }
    assert.deepEqual(told, [
      {
        state: 'down',
        problem: { message: 'The embedded cluster is not running.' },
        remedy: 'start',
      },
      {
        state: 'down',
        problem: { message: 'The embedded cluster is not running: it ended unexpectedly.' },
        remedy: 'start',
      },
      { state: 'starting' },
    ]);
    await status.bringUp();
    assert.equal(starts, 1);
  });

  it('says why another cluster cannot be reached, and connects to it again when asked', async () => {
    const status = feed(remote);
    assert.deepEqual(status.status, { state: 'up' });
    await status.bringUp();
    const last = told.at(-1);
    assert.deepEqual([last?.state, last?.remedy], ['down', 'connect']);
    assert.match(last?.problem?.message ?? '', /127\.0\.0\.1:9/);
    session.dispose();
  });

  it('says that the connection was removed, which nothing on the page brings back', () => {
    isRemoved = true;
    assert.deepEqual(feed(remote).status, {
      state: 'down',
      problem: { message: `The connection ${remote.name} was removed.` },
    });
  });
});
