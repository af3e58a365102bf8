/** A panel of the embedded cluster before that runs: what is missing, and the button for it. */
import { DisposableStore } from '../../base/disposable.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embeddedCluster.ts';
import type { EmbeddedState } from '../../cluster/embedded/embeddedState.ts';
import { Channel } from '../../shared/channel.ts';
import { type StandbyState, standbyHost, standbyView } from '../../shared/contracts/standby.ts';
import type { OpenPanel } from './openPanel.ts';

/** The embedded cluster as panels wait for it. */
export interface Startable extends Pick<EmbeddedCluster, 'state' | 'onDidChangeState'> {
  /** As the command does, which says why where it cannot. */
  start(): PromiseLike<unknown>;
}

/** Answers a page that waits, and resolves `running` once there is something to show. */
export class Standby extends DisposableStore {
  readonly running: Promise<void>;
  readonly #embedded: Startable;
  readonly #title: string;

  constructor(panel: OpenPanel, { title, embedded }: { title: string; embedded: Startable }) {
    super();
    this.#title = title;
    this.#embedded = embedded;
    const channel = this.add(
      new Channel({
        transport: panel.transport,
        onInvalid: panel.onInvalid,
        serves: standbyHost,
        handlers: { ready: () => this.#state(embedded.state), start: () => this.#start() },
        calls: standbyView,
      }),
    );
    this.running = new Promise((resolve) => {
      this.add(
        embedded.onDidChangeState((state) => {
          if (state.kind === 'running') resolve();
          else channel.notify('state', this.#state(state));
        }),
      );
      if (embedded.state.kind === 'running') resolve();
    });
  }

  #state(state: EmbeddedState): StandbyState {
    const title = this.#title;
    switch (state.kind) {
      case 'crashed':
        return { title, cluster: 'crashed', problem: state.message };
      case 'starting':
      case 'running':
        return { title, cluster: 'starting' };
      case 'stopping':
      case 'stopped':
        return { title, cluster: 'stopped' };
    }
  }

  async #start(): Promise<object> {
    await this.#embedded.start();
    return {};
  }
}
