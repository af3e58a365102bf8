import { createServer, type Server, type Socket } from 'node:net';
import { apiByKey, versionsOf } from '../../src/protocol/apiIndex.ts';
import { type ApiName, apis } from '../../src/protocol/apis.ts';
import { decodeRequest, encodeResponse } from '../../src/protocol/frames.ts';
import { FrameSplitter } from '../../src/protocol/frameSplitter.ts';
import { decodeMessage } from '../../src/protocol/messageCodec.ts';
import type { Message, MessageInput } from '../../src/protocol/schema.ts';

type Asked<A extends ApiName> = Message<(typeof apis)[A]['request']>;
type Body<A extends ApiName> = MessageInput<(typeof apis)[A]['response']>;

/** What a broker does at a request: answers it, closes the connection, or says nothing for now. */
export type Reaction<A extends ApiName> = Body<A> | 'close' | 'silence';

export type Script = {
  readonly [A in ApiName]?: ((request: Asked<A>) => Reaction<A> | Promise<Reaction<A>>) | undefined;
};

type AnyReaction = (request: unknown) => Promise<object | 'close' | 'silence'>;

/**
 * A server that answers as a test says, for what no real broker can be made to do at a given moment. It is the only
 * broker of its cluster, with the id 1. What a script leaves out is not answered.
 */
export class ScriptedBroker {
  readonly #script: Script;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** What was asked, in order, without ApiVersions. */
  readonly asked: ApiName[] = [];
  /** Connections that were accepted, those of the past too. */
  accepted = 0;

  static async start(script: Script): Promise<ScriptedBroker> {
    const broker = new ScriptedBroker(script);
    await new Promise<void>((resolve) => broker.#server.listen(0, '127.0.0.1', resolve));
    return broker;
  }

  private constructor(script: Script) {
    this.#script = { apiVersions: allVersions, ...script };
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** What Metadata says of this broker and of topics, all of whose partitions it leads. */
  metadata(topics: Readonly<Record<string, number>> = {}, nodeId = 1): Body<'metadata'> {
    return {
      clusterId: 'scripted',
      controllerId: nodeId,
      brokers: [{ nodeId, host: '127.0.0.1', port: this.port, rack: null }],
      topics: Object.entries(topics).map(([name, partitionCount]) => ({
        errorCode: 0,
        name,
        topicId: Buffer.alloc(16, name).toString('base64url'),
        isInternal: false,
        topicAuthorizedOperations: 0,
        partitions: Array.from({ length: partitionCount }, (_, partitionIndex) => ({
          errorCode: 0,
          partitionIndex,
          leaderId: nodeId,
          leaderEpoch: 0,
          replicaNodes: [nodeId],
          isrNodes: [nodeId],
          offlineReplicas: [],
        })),
      })),
    };
  }

  dispose(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #accept(socket: Socket): void {
    this.accepted++;
    this.#sockets.add(socket);
    const splitter = new FrameSplitter();
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (chunk) => {
      splitter.push(chunk);
      for (let frame = splitter.next(); frame; frame = splitter.next()) {
        void this.#react(frame, socket);
      }
    });
  }

  async #react(frame: Buffer, socket: Socket): Promise<void> {
    const { apiKey, version, correlationId, body } = decodeRequest(frame);
    const known = apiByKey(apiKey);
    if (!known) throw new Error(`no API has the key ${apiKey}`);
    const { name, api } = known;
    if (name !== 'apiVersions') this.asked.push(name);
    const react = this.#script[name] as AnyReaction | undefined;
    const reaction = (await react?.(decodeMessage(api.request, version, body))) ?? 'silence';
    if (reaction === 'close') socket.destroy();
    else if (reaction !== 'silence' && socket.writable) {
      socket.write(encodeResponse({ api, version, correlationId, body: reaction }));
    }
  }
}

/** Every API in every version that we know. */
export function allVersions(): Body<'apiVersions'> {
  const apiKeys = Object.values(apis).map((api) => {
    const { min, max } = versionsOf(api);
    return { apiKey: api.key, minVersion: min, maxVersion: max };
  });
  return { apiKeys };
}
