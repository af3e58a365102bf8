/** A cluster for people's tests: starts in this process, on a free port, in a temporary directory. */
import { launchCluster } from './broker/launch.ts';
import { version } from './version.ts';

export interface EmbeddedOptions {
  /** Left out: a temporary directory, removed by `stop`. */
  readonly dataDir?: string;
  readonly host?: string;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** Kafka's broker configs, such as `{ 'num.partitions': '3' }`. */
  readonly configs?: Readonly<Record<string, string>>;
}

export interface EmbeddedKafka {
  /** What goes into `bootstrap.servers`. */
  readonly bootstrap: string;
  readonly brokers: readonly {
    readonly id: number;
    readonly host: string;
    readonly port: number;
  }[];
  /** Address of the control channel. */
  readonly control: string;
  /** Stops cleanly; what was in a temporary directory is gone then. Safe to call twice. */
  stop(): Promise<void>;
}

/** Rejects, in words, where the port or the directory cannot be had or a config is wrong. */
export async function startCluster(options: EmbeddedOptions = {}): Promise<EmbeddedKafka> {
  const { dataDir = null, port = 0, ...rest } = options;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= launched.stop('its owner stops it'));
  const launched = await launchCluster({
    ...rest,
    dataDir,
    port,
    version,
    onStopRequest: () => void stop(),
  });
  const { cluster, control } = launched;
  const { bootstrap, brokers } = cluster;
  return { bootstrap, brokers, control, stop };
}
