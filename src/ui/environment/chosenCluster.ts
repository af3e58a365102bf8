import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embeddedCluster.ts';
import type { ClusterProfile } from '../../cluster/model.ts';

const embeddedChoice = 'embedded';
/** The setting's word for no cluster. */
export const noChoice = 'off';

/** The setting's word for a cluster: its name, or its id where the name means something else. */
export function choiceOf({ id, kind, name }: ClusterProfile): string {
  if (kind === 'embedded') return embeddedChoice;
  return name === embeddedChoice || name === noChoice ? id : name;
}

export interface ClusterAddress {
  readonly name: string;
  readonly bootstrap: string;
}

export interface ChosenClusterOptions {
  readonly registry: Pick<ClusterRegistry, 'profiles' | 'onDidChange'>;
  readonly embedded: Pick<EmbeddedCluster, 'state' | 'onDidChangeState'>;
  /** The setting: `embedded`, `off`, or a connection's name. */
  readonly choice: () => string;
  readonly onDidChangeChoice: (changed: () => void) => { dispose(): unknown };
}

/** The cluster whose address terminals and debugged programs are given, and where it is now. */
export class ChosenCluster extends DisposableStore {
  readonly #options: ChosenClusterOptions;
  readonly #changeEmitter = this.add(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;
  #last: string | undefined;

  constructor(options: ChosenClusterOptions) {
    super();
    this.#options = options;
    this.#last = this.#key();
    const changed = (): void => this.#compare();
    const subscription = options.onDidChangeChoice(changed);
    this.add({ dispose: () => void subscription.dispose() });
    this.add(options.registry.onDidChange(changed));
    this.add(options.embedded.onDidChangeState(changed));
  }

  /** Undefined while there is none: the setting is off, the cluster is not running, no connection has the name. */
  get address(): ClusterAddress | undefined {
    const profile = this.#profile();
    if (!profile) return undefined;
    const { state } = this.#options.embedded;
    if (profile.kind === 'remote') {
      return { name: profile.name, bootstrap: profile.bootstrap.join(',') };
    }
    return state.kind === 'running'
      ? { name: profile.name, bootstrap: state.bootstrap }
      : undefined;
  }

  #profile(): ClusterProfile | undefined {
    const choice = this.#options.choice().trim();
    if (choice === noChoice) return undefined;
    return this.#options.registry.profiles.find((profile) => choiceOf(profile) === choice);
  }

  #key(): string | undefined {
    const { address } = this;
    return address && JSON.stringify(address);
  }

  #compare(): void {
    const key = this.#key();
    if (key === this.#last) return;
    this.#last = key;
    this.#changeEmitter.fire();
  }
}
