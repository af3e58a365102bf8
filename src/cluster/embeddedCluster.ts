import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Logger } from '../base/logger.ts';

/** What a person can set about the embedded cluster; read at each start. */
export interface EmbeddedSettings {
  readonly host: string;
  readonly port: number;
  /** If `port` is taken, take the next free one. */
  readonly allowOtherPort: boolean;
  /** Outlive the last window. */
  readonly keepRunning: boolean;
  /** Kafka's broker configs. */
  readonly configs: Readonly<Record<string, string>>;
}

export interface EmbeddedClusterOptions {
  /** The Node that runs the broker: the editor's own executable in the extension host. */
  readonly executable: string;
  /** `dist/cli.js`. */
  readonly cliPath: string;
  readonly dataDir: string;
  readonly settings: () => EmbeddedSettings;
  readonly logger: Logger;
}

export type EmbeddedState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly bootstrap: string; readonly pid: number }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'crashed'; readonly message: string; readonly logTail: string };

/** The embedded cluster's process as seen from a window: found or started, watched, stopped. */
export class EmbeddedCluster implements Disposable {
  readonly #stateEmitter = new Emitter<EmbeddedState>();
  readonly onDidChangeState = this.#stateEmitter.event;
  readonly #noticeEmitter = new Emitter<string>();
  /** Things to tell the person that are no failure, such as another port having been taken. */
  readonly onDidNotice = this.#noticeEmitter.event;
  readonly options: EmbeddedClusterOptions;
  #state: EmbeddedState = { kind: 'stopped' };

  constructor(options: EmbeddedClusterOptions) {
    this.options = options;
  }

  get state(): EmbeddedState {
    return this.#state;
  }

  /** Attaches to a running one if there is one. True if there was. Never starts one. */
  attach(_signal?: AbortSignal): Promise<boolean> {
    return Promise.reject(new Error('not there yet'));
  }

  /** Attaches or starts; resolves with the bootstrap address once clients can connect. */
  start(_signal?: AbortSignal): Promise<string> {
    return Promise.reject(new Error('not there yet'));
  }

  stop(_signal?: AbortSignal): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  async restart(signal?: AbortSignal): Promise<string> {
    await this.stop(signal);
    return this.start(signal);
  }

  setKeepRunning(_keepRunning: boolean): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  /** Leaves the process: it stops by itself some time after the last window has left. */
  dispose(): void {
    this.#state = { kind: 'stopped' };
    this.#stateEmitter.dispose();
    this.#noticeEmitter.dispose();
  }
}
