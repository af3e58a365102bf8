/** Tells a page when its cluster goes down and comes up again, and brings it up where the page asks for it. */
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import type { ClusterStatus } from '../../shared/contracts/clusterStatus.ts';
import { sessionOf } from '../sessions.ts';
import type { PanelContext } from './panelHost.ts';
import { whenStateChanges } from './connectionChanges.ts';
import { problemWords } from './words.ts';

export class ClusterStatusFeed extends DisposableStore {
  readonly #context: Pick<PanelContext, 'registry' | 'embedded'>;
  readonly #cluster: ClusterProfile;
  readonly #emitter = this.add(new Emitter<ClusterStatus>());
  readonly onDidChange = this.#emitter.event;

  constructor(context: Pick<PanelContext, 'registry' | 'embedded'>, cluster: ClusterProfile) {
    super();
    this.#context = context;
    this.#cluster = cluster;
    const tell = (): void => this.#emitter.fire(this.status);
    this.add(
      cluster.kind === 'embedded'
        ? context.embedded.onDidChangeState(tell)
        : whenStateChanges(context.registry, cluster.id, tell),
    );
  }

  get status(): ClusterStatus {
    return this.#cluster.kind === 'embedded' ? this.#embeddedStatus : this.#remoteStatus;
  }

  /** Each says by itself why it cannot: the command in a message, the session in its state. */
  async bringUp(): Promise<object> {
    if (this.#cluster.kind === 'embedded') await this.#context.embedded.start();
    else {
      const session = sessionOf(this.#context.registry, this.#cluster);
      await session.connect().catch(() => undefined);
    }
    return {};
  }

  get #embeddedStatus(): ClusterStatus {
    const { state } = this.#context.embedded;
    switch (state.kind) {
      case 'running':
        return { state: 'up' };
      case 'starting':
        return { state: 'starting' };
      case 'stopping':
      case 'stopped':
        return {
          state: 'down',
          problem: { message: t('The embedded cluster is not running.') },
          remedy: 'start',
        };
      case 'crashed':
        return {
          state: 'down',
          problem: { message: t('The embedded cluster is not running: {0}.', state.message) },
          remedy: 'start',
        };
    }
  }

  /** A session that was not asked for anything yet is not connected, and will be. */
  get #remoteStatus(): ClusterStatus {
    if (!this.#context.registry.profile(this.#cluster.id)) {
      const problem = { message: t('The connection {0} was removed.', this.#cluster.name) };
      return { state: 'down', problem };
    }
    const state = this.#context.registry.session(this.#cluster.id)?.state;
    if (state?.kind !== 'failed') return { state: 'up' };
    return { state: 'down', problem: problemWords(state.problem), remedy: 'connect' };
  }
}
