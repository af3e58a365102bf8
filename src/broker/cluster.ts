import { type Clock, systemClock } from '../base/clock.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { LevelledLogger } from './levelledLogger.ts';
import { type Random, systemRandom } from '../base/random.ts';
import { randomUuid, type Uuid } from '../base/uuid.ts';
import type { FileSystem } from '../storage/fileSystem.ts';
import { nodeFileSystem } from '../storage/nodeFileSystem.ts';
import { BrokerNode } from './brokerNode.ts';
import type { BrokerEndpoint, ClusterContext } from './brokerView.ts';
import { ClusterClock } from './clusterClock.ts';
import { loadClusterId } from './clusterId.ts';
import { ClusterOperations } from './clusterOperations.ts';
import { BrokerConfig, BrokerConfigError } from './config/brokerConfigs.ts';
import { addressLimitsProblem } from './config/connectionRules.ts';
import { cordonedProblem, isCordoned } from './config/cordonedLogDirs.ts';
import { bootstrapMetadata } from './controller/bootstrapMetadata.ts';
import { Controller } from './controller/controller.ts';
import type { TopicRules } from './controller/createTopics.ts';
import { type MetadataImage, resourceTypes } from './controller/metadataImage.ts';
import { registration } from './controller/registerBroker.ts';
import { initialLevels } from './emulation/emulatedFeatures.ts';
import type { Emulation } from './emulation/emulation.ts';
import type { EmulationName } from './emulation/emulationName.ts';
import { emulations } from './emulation/emulations.ts';
import { servedHandlers } from './handlers/index.ts';
import { certificatePrincipals, saslPrincipal } from './security/certificatePrincipal.ts';
import {
  type Address,
  listenersOf,
  type ListenerSettings,
  listenerText,
  usesSasl,
  usesTls,
} from './security/listeners.ts';
import { saslRules } from './security/saslRules.ts';
import { tlsSettings } from './security/tls.ts';
import { Dispatcher } from './server/dispatcher.ts';
import { Listener } from './server/listener.ts';
import { RequestMemory } from './server/requestMemory.ts';

export interface ClusterOptions {
  /** Made where it is missing; the caller holds its lock. */
  readonly dataDir: string;
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Kafka's broker configs. */
  readonly configs?: Readonly<Record<string, string>>;
  /** Behaves as another server. Left out: as Apache Kafka 4.4. */
  readonly emulate?: EmulationName | undefined;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly fileSystem?: FileSystem;
}

/** A cluster that runs in this process. */
export interface RunningCluster {
  readonly clusterId: Uuid;
  readonly bootstrap: string;
  readonly brokers: readonly BrokerEndpoint[];
  /** `bootstrap.servers` of each listener, by its name. */
  readonly listeners: Readonly<Record<string, string>>;
  readonly operations: ClusterOperations;
  /** Ends connections, flushes every log and closes them. Safe to call twice. */
  close(): Promise<void>;
}

const firstBrokerId = 1;

/**
 * Starts an embedded cluster. Rejects with a BrokerConfigError, a StorageError, or Node's own error where the port
 * cannot be had.
 */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const emulation: Emulation | undefined = options.emulate && emulations[options.emulate];
  const config = new BrokerConfig(options.configs, { defaults: emulation?.defaults });
  const problem = addressLimitsProblem((name) => config.text(name) ?? '');
  if (problem !== undefined) throw new BrokerConfigError(problem);
  const random = options.random ?? systemRandom;
  const logger = new LevelledLogger(options.logger ?? silentLogger);
  for (const name of config.unusedNames()) {
    logger.warn(`${name} is a config of Apache Kafka, and changes nothing in this broker`);
  }
  const fileSystem = options.fileSystem ?? nodeFileSystem;
  const clusterClock = await ClusterClock.open(
    fileSystem,
    options.dataDir,
    options.clock ?? systemClock,
  );
  const { clock } = clusterClock;
  const clusterId = (await loadClusterId(fileSystem, options.dataDir)) ?? randomUuid(random);
  const nodes: BrokerNode[] = [];
  const endpoints = new Map<string, BrokerEndpoint[]>();
  const endpointsAt = (listener?: string): readonly BrokerEndpoint[] =>
    (listener === undefined ? undefined : endpoints.get(listener)) ??
    [...endpoints.values()][0] ??
    [];
  const controller = await Controller.open({
    fileSystem,
    clock,
    random,
    logger,
    directory: `${options.dataDir}/controller`,
    clusterId,
    bootstrap: bootstrapMetadata(
      initialLevels(emulation),
      config.text('min.insync.replicas') ?? '1',
    ),
    apply: async (changes) => {
      for (const node of nodes) await node.apply(changes);
    },
  });
  const context: ClusterContext = {
    clusterId,
    config,
    clock,
    random,
    logger,
    fileSystem,
    controller,
    endpoints: endpointsAt,
    emulation,
    topicRules: () => ({ config, random, ...replicaTakers(endpointsAt(), nodes) }),
  };
  const parts = new ClusterParts(controller, nodes);
  try {
    await parts.startBroker(context, endpoints, options);
  } catch (error) {
    await parts.close();
    throw error;
  }
  return {
    clusterId,
    bootstrap: addressesOf(endpointsAt()),
    brokers: endpointsAt(),
    listeners: Object.fromEntries([...endpoints].map(([name, at]) => [name, addressesOf(at)])),
    operations: new ClusterOperations(clusterClock, nodes),
    close: () => parts.close(),
  };
}

/** What has been started so far, and how it ends: listeners first, so that nothing new comes in. */
class ClusterParts {
  readonly #controller: Controller;
  readonly #nodes: BrokerNode[];
  readonly #listeners: Listener[] = [];
  #closing: Promise<void> | undefined;

  constructor(controller: Controller, nodes: BrokerNode[]) {
    this.#controller = controller;
    this.#nodes = nodes;
  }

  async startBroker(
    context: ClusterContext,
    endpoints: Map<string, BrokerEndpoint[]>,
    { dataDir, host = '127.0.0.1', port = 9092, clock: machineClock = systemClock }: ClusterOptions,
  ): Promise<void> {
    const { controller, random } = context;
    await controller.change((present) => registration(present, firstBrokerId, random));
    const { image } = controller;
    const directory = `${dataDir}/${firstBrokerId}`;
    const settings = listenersOf(context.config, { host, port });
    const own = context.config.withDynamic(
      () => ({
        broker: image.configsOf(resourceTypes.broker, String(firstBrokerId)),
        cluster: image.configsOf(resourceTypes.broker, ''),
      }),
      nodePresets(firstBrokerId, directory, settings),
    );
    const problem = cordonedProblem(own.static('cordoned.log.dirs') ?? '', own);
    if (problem !== undefined) throw new BrokerConfigError(problem);
    const node = new BrokerNode(firstBrokerId, directory, { ...context, config: own });
    this.#nodes.push(node);
    await node.open();
    const { config, clock, logger } = context;
    const maxRequestBytes = config.number('socket.request.max.bytes');
    const queuedMaxBytes = config.number('queued.max.request.bytes');
    const dispatcher = new Dispatcher(node, servedHandlers(context.emulation));
    const memory = new RequestMemory({ queuedMaxBytes, maxRequestBytes, clock, logger });
    for (const each of settings) {
      const listener = await Listener.listen({
        ...each,
        ...(await securityOf(context, each, machineClock)),
        logger,
        answer: (frame, peer) => dispatcher.answer(frame, peer),
        gate: node.connectionQuotas,
        maxRequestBytes,
        memory,
        maxIdleMs: config.number('connections.max.idle.ms'),
      });
      this.#listeners.push(listener);
      const others = endpoints.get(each.name) ?? [];
      endpoints.set(each.name, [...others, { id: node.id, ...told(each, listener.port) }]);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const node of this.#nodes) node.beginClose();
    for (const node of this.#nodes) node.connectionQuotas.close();
    await Promise.all(this.#listeners.map((listener) => listener.close()));
    await Promise.all(this.#nodes.map((node) => node.close()));
    await this.#controller.close();
  }
}

/** The brokers that are there, and which of them get no new partitions. */
const replicaTakers = (
  brokers: readonly BrokerEndpoint[],
  nodes: readonly BrokerNode[],
): Pick<TopicRules, 'brokers' | 'cordoned'> => ({
  brokers: brokers.map(({ id }) => id),
  cordoned: new Set(nodes.filter((node) => isCordoned(node.cluster.config)).map(({ id }) => id)),
});

const addressesOf = (brokers: readonly BrokerEndpoint[]): string =>
  brokers.map(({ host, port }) => `${host}:${port}`).join(',');

/** What a node is told that Kafka reads from its server.properties. */
const nodePresets = (
  id: number,
  directory: string,
  listeners: readonly ListenerSettings[],
): Readonly<Record<string, string>> => ({
  'broker.id': String(id),
  listeners: listeners.map(({ name, host, port }) => `${name}://${host}:${port}`).join(','),
  'log.dirs': directory,
  'node.id': String(id),
  'process.roles': 'broker,controller',
});

/** Where clients are told to connect. */
function told({ host, advertised }: ListenerSettings, boundPort: number): Address {
  return { host: advertised?.host ?? host, port: advertised?.port || boundPort };
}

/** What a listener asks of its clients. */
async function securityOf(
  context: ClusterContext,
  listener: ListenerSettings,
  machineClock: Clock,
) {
  const { config, controller, fileSystem } = context;
  const image = (): MetadataImage => controller.image;
  return {
    tls: usesTls(listener) ? await tlsSettings(config, listener, fileSystem) : undefined,
    principalOf: usesSasl(listener)
      ? saslPrincipal
      : certificatePrincipals(listenerText(config, listener, principalRules) ?? ''),
    sasl: await saslRules({ ...context, image, machineClock }, listener),
  };
}

const principalRules = 'ssl.principal.mapping.rules';
