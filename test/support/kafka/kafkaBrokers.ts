// Several Apache Kafka brokers: the first is the controller too, the others are brokers alone and may be lost.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RealKafka, startKafka } from './realKafka.ts';

export interface KafkaBrokers {
  /** The address of broker 1, which stays. */
  readonly bootstrap: string;
  /** Ends a broker without a word to the others. */
  kill9(id: number): Promise<void>;
  /** Starts one again that was ended: with its data, at another address. */
  restart(id: number): Promise<void>;
  stop(): Promise<void>;
}

type Config = Readonly<Record<string, string | number>>;

/** The controller takes a broker for lost sooner than after nine seconds. */
const impatient = { 'broker.session.timeout.ms': 3000, 'broker.heartbeat.interval.ms': 500 };

/** Starts brokers 1 to `count`. Their configs are the same but for what tells them apart. */
export async function startKafkaBrokers(count: number, config: Config = {}): Promise<KafkaBrokers> {
  const root = await mkdtemp(path.join(tmpdir(), 'kafka-brokers-'));
  const shared = { ...impatient, ...config };
  const first = await startKafka({ config: shared });
  const controller = `127.0.0.1:${first.port('CONTROLLER')}`;
  const others = new Map<number, RealKafka>();

  async function start(id: number): Promise<void> {
    const dataDir = path.join(root, String(id));
    others.set(id, await startKafka({ controller, dataDir, config: { ...shared, 'node.id': id } }));
  }

  for (let id = 2; id <= count; id++) await start(id);
  return {
    bootstrap: first.bootstrap,
    async kill9(id) {
      await others.get(id)?.kill9();
    },
    restart: start,
    async stop() {
      // Without the controller none of them would end by itself.
      await Promise.all([...others.values()].map((broker) => broker.kill9()));
      await first.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
