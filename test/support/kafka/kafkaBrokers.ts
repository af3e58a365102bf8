// Several Apache Kafka brokers: the first is the controller too, the others are brokers alone and may be lost.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '../process.ts';
import { type RealKafka, startKafka } from './realKafka.ts';

export interface KafkaBrokers {
  /** The address of broker 1, which stays. */
  readonly bootstrap: string;
  /** Ends a broker without a word to the others. */
  kill9(id: number): Promise<void>;
  /** Starts one again that was ended, at its address and with its data. */
  restart(id: number): Promise<void>;
  stop(): Promise<void>;
}

type Config = Readonly<Record<string, string | number>>;

/** The controller takes a broker for lost sooner than after nine seconds. */
const impatient = { 'broker.session.timeout.ms': 3000, 'broker.heartbeat.interval.ms': 500 };
/** A port that was free may be taken before Kafka has it. */
const portTries = 3;

/** Starts brokers 1 to `count`. Their configs are the same but for what tells them apart. */
export async function startKafkaBrokers(count: number, config: Config = {}): Promise<KafkaBrokers> {
  const root = await mkdtemp(path.join(tmpdir(), 'kafka-brokers-'));
  const shared = { ...impatient, ...config };
  const first = await startKafka({ config: shared });
  const voters = `1@127.0.0.1:${first.port('CONTROLLER')}`;
  const others = new Map<number, { readonly broker: RealKafka; readonly port: number }>();

  async function start(id: number, atPort?: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const [port = 0] = atPort === undefined ? await freePorts(1) : [atPort];
      const own = { ...brokerConfig(id, port), 'controller.quorum.voters': voters };
      const dataDir = path.join(root, String(id));
      try {
        const broker = await startKafka({ config: { ...shared, ...own }, dataDir });
        others.set(id, { broker, port });
        return;
      } catch (error) {
        const isPortTaken = String(error).includes('Address already in use');
        if (!isPortTaken || attempt === portTries) throw error;
      }
    }
  }
  const running = (id: number) => {
    const other = others.get(id);
    if (!other) throw new Error(`there is no broker ${id} beside the first`);
    return other;
  };

  for (let id = 2; id <= count; id++) await start(id);
  return {
    bootstrap: first.bootstrap,
    kill9: (id) => running(id).broker.kill9(),
    restart: (id) => start(id, running(id).port),
    async stop() {
      // Without the controller none of them would end by itself.
      await Promise.all([...others.values()].map(({ broker }) => broker.kill9()));
      await first.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function brokerConfig(id: number, port: number): Record<string, string | number> {
  const address = `PLAINTEXT://127.0.0.1:${port}`;
  return {
    'process.roles': 'broker',
    'node.id': id,
    listeners: address,
    'advertised.listeners': address,
  };
}
