/** What a person can set about the embedded cluster; read at each start. */
export interface EmbeddedSettings {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** If `port` is taken, take the next free one. */
  readonly allowOtherPort: boolean;
  /** Outlive the last window. */
  readonly keepRunning: boolean;
  /** Kafka's broker configs. */
  readonly configs: Readonly<Record<string, string>>;
  /** The server that it behaves as; empty: Apache Kafka 4.4. */
  readonly emulate?: string;
}
