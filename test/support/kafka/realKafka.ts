// One real Apache Kafka node (KRaft, broker and controller in one) of 4.4 or 3.9 on ports of 127.0.0.1 that were free.
import { closeSync, openSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import { installOnce } from '../../../.ci/installOnce.ts';
import { freePorts, residentMiB, run, spawnOwned, stopProcess } from '../process.ts';
import { type KafkaHome, kafkaHome, type KafkaVersion } from './home.ts';
import { CLASS_ARCHIVE_FILE, classArchiveFolder, javaArguments } from './java.ts';
import type { JavaOptions } from './java.ts';

export interface StartKafkaOptions extends Omit<JavaOptions, 'log'> {
  /** Default: 4.4. */
  readonly version?: KafkaVersion;
  /** Listeners beside PLAINTEXT, each with its security protocol. */
  readonly listeners?: Readonly<
    Record<string, 'PLAINTEXT' | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL'>
  >;
  /** SCRAM credentials as kafka-storage takes them: `SCRAM-SHA-256=[name=alice,password=secret]`. */
  readonly scram?: readonly string[];
  /** Broker configs by Kafka's own names; they win over what `defaultConfig` sets. */
  readonly config?: Readonly<Record<string, string | number | boolean>>;
  /** Where its log directories are kept; formatted if empty. Default: a temporary one, removed on stop. */
  readonly dataDir?: string;
  /** The address of a controller elsewhere, for a broker alone; it needs a `node.id` of its own. */
  readonly controller?: string;
  /** Gives up after this. Default 60 s. */
  readonly timeoutMs?: number;
}

export interface RealKafka {
  /** `127.0.0.1:PORT`, for `bootstrap.servers`. */
  readonly bootstrap: string;
  /** The port of a listener, by its name. */
  port(listener: string): number;
  readonly pid: number;
  /** The folder that `log.dirs` names. */
  readonly dataDir: string;
  /** What the broker logged, from INFO. */
  readonly logFile: string;
  /** From the JVM's start (storage already formatted) to "Kafka Server started". */
  readonly startMs: number;
  residentMiB(): Promise<number>;
  /** Stops it as an operator would, within 15 s; then by force. */
  stop(): Promise<void>;
  /** Ends it without any chance to flush or say goodbye. The data directory stays. */
  kill9(): Promise<void>;
}

const CLUSTER_ID = 'S2Fma2FXb3JrYmVuY2hRQQ';
const NODE_ID = 1;
const POLL_MS = 20;
// Another process may take a port between our looking for it and Kafka's binding it.
const PORT_TRIES = 3;

/** Starts Apache Kafka and resolves when it serves clients. Rejects with the tail of its log. */
export async function startKafka(options: StartKafkaOptions = {}): Promise<RealKafka> {
  await sharedClasses(await kafkaHome(options.version), options.version);
  return launch(options);
}

async function launch(options: StartKafkaOptions): Promise<RealKafka> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchOnFreePorts(options);
    } catch (error) {
      const isPortTaken = String(error).includes('Address already in use');
      if (!isPortTaken || attempt === PORT_TRIES) throw error;
    }
  }
}

async function launchOnFreePorts(options: StartKafkaOptions): Promise<RealKafka> {
  const root = await mkdtemp(path.join(tmpdir(), 'kafka-'));
  const dataDir = options.dataDir ?? path.join(root, 'data');
  const protocols = { PLAINTEXT: 'PLAINTEXT', CONTROLLER: 'PLAINTEXT', ...options.listeners };
  const ports = await portsFor(Object.keys(protocols));
  const propertiesFile = path.join(root, 'server.properties');
  const config = {
    ...defaultConfig(ports, protocols),
    ...(options.controller !== undefined && brokerAlone(ports, options.controller)),
    'log.dirs': dataDir,
    ...options.config,
  };
  await mkdir(dataDir, { recursive: true });
  await writeFile(propertiesFile, toProperties(config));
  await formatStorage(propertiesFile, options);

  const logFile = path.join(root, 'kafka.log');
  const startedAt = performance.now();
  const child = await spawnBroker(propertiesFile, logFile, options);
  const removeRoot = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', removeRoot);
  try {
    await untilStarted(child, logFile, options.timeoutMs ?? 60_000);
  } catch (error) {
    await stopProcess(child, 0);
    throw error;
  }
  const pid = child.pid ?? 0;
  return {
    bootstrap: `127.0.0.1:${ports.get('PLAINTEXT')}`,
    port(listener) {
      const port = ports.get(listener);
      if (port === undefined) throw new Error(`this Kafka has no listener ${listener}`);
      return port;
    },
    pid,
    dataDir,
    logFile,
    startMs: Math.round(performance.now() - startedAt),
    residentMiB: () => residentMiB(pid),
    async stop() {
      await stopProcess(child, 15_000);
      process.off('exit', removeRoot);
      await rm(root, { recursive: true, force: true });
    },
    async kill9() {
      await stopProcess(child, 0);
    },
  };
}

async function portsFor(listeners: readonly string[]): Promise<Map<string, number>> {
  const ports = await freePorts(listeners.length);
  return new Map(listeners.map((name, i) => [name, ports[i] ?? 0]));
}

/** What a single node needs, and what a test cannot wait for. All else is as Kafka has it. */
function defaultConfig(
  ports: ReadonlyMap<string, number>,
  protocols: Readonly<Record<string, string>>,
): Record<string, string | number> {
  return {
    'process.roles': 'broker,controller',
    'node.id': NODE_ID,
    'controller.quorum.voters': `${NODE_ID}@127.0.0.1:${ports.get('CONTROLLER')}`,
    listeners: addresses(ports),
    'advertised.listeners': forClients(ports),
    'listener.security.protocol.map': Object.entries(protocols)
      .map(([name, protocol]) => `${name}:${protocol}`)
      .join(','),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    // The first retention pass, 30 s after the start, would take records that a test gave old timestamps.
    'log.initial.task.delay.ms': 3_600_000,
    // Taken from the heap at once: 128 MiB by default, half of what the node may have here.
    'log.cleaner.dedupe.buffer.size': 8 * 1024 * 1024,
  };
}

/** What is different where the controller is another node. */
function brokerAlone(
  ports: ReadonlyMap<string, number>,
  controller: string,
): Record<string, string> {
  return {
    'process.roles': 'broker',
    'controller.quorum.voters': `${NODE_ID}@${controller}`,
    listeners: forClients(ports),
  };
}

const addresses = (ports: Iterable<readonly [string, number]>): string =>
  [...ports].map(([name, port]) => `${name}://127.0.0.1:${port}`).join(',');

const forClients = (ports: ReadonlyMap<string, number>): string =>
  addresses([...ports].filter(([name]) => name !== 'CONTROLLER'));

function toProperties(config: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(config)
    .map(([name, value]) => `${name}=${String(value).replaceAll('\\', '\\\\')}\n`)
    .join('');
}

async function formatStorage(
  propertiesFile: string,
  { version, scram = [] }: StartKafkaOptions,
): Promise<void> {
  const format = [
    ...['format', '--ignore-formatted', '-t', CLUSTER_ID, '-c', propertiesFile],
    ...scram.flatMap((credential) => ['--add-scram', credential]),
  ];
  const java = javaArguments(await kafkaHome(version), 'kafka.tools.StorageTool');
  const { code, stdout, stderr } = await run('java', [...java, ...format]);
  if (code !== 0) throw new Error(`Kafka could not format its storage\n${stdout}${stderr}`);
}

async function spawnBroker(
  propertiesFile: string,
  logFile: string,
  options: StartKafkaOptions,
): Promise<ChildProcess> {
  const java = javaArguments(await kafkaHome(options.version), 'kafka.Kafka', {
    ...options,
    log: 'broker',
  });
  const log = openSync(logFile, 'w');
  const child = spawnOwned('java', [...java, propertiesFile], { stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  return child;
}

async function untilStarted(
  child: ChildProcess,
  logFile: string,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const log = await readFile(logFile, 'utf8');
    if (log.includes('Kafka Server started')) return;
    const tail = () => log.split('\n').slice(-40).join('\n');
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`Kafka ended before it had started\n${tail()}`);
    if (performance.now() > deadline)
      throw new Error(`Kafka did not start within ${timeoutMs} ms\n${tail()}`);
    await sleep(POLL_MS);
  }
}

/** Has a first broker leave its classes in an archive: later JVMs, tools too, start in half the time. */
async function sharedClasses(home: KafkaHome, version?: KafkaVersion): Promise<void> {
  await installOnce(classArchiveFolder(home), async (folder) => {
    const archive = path.join(folder, CLASS_ARCHIVE_FILE);
    const kafka = await launch({
      ...(version && { version }),
      jvm: [`-XX:ArchiveClassesAtExit=${archive}`],
    });
    await kafka.stop();
  });
}
