import type { Disposable } from '../base/disposable.ts';
import type { Steps } from '../base/turns.ts';
import type { ApiName, apis } from '../protocol/apis.ts';
import type { Message, MessageInput } from '../protocol/schema.ts';
import type { BrokerNode } from './brokerNode.ts';
import type { QuotaClient } from './quotas/clientQuotas.ts';
import type { Access } from './security/authorizer/access.ts';
import type { Session } from './security/session.ts';

export type RequestOf<A extends ApiName> = Message<(typeof apis)[A]['request']>;
export type ResponseOf<A extends ApiName> = MessageInput<(typeof apis)[A]['response']>;

/** Who asks, and on what terms. */
export interface RequestContext {
  readonly node: BrokerNode;
  readonly apiVersion: number;
  readonly clientId: string;
  /** As Kafka prints it in group descriptions: `/127.0.0.1`. */
  readonly clientHost: string;
  readonly clientPort: number;
  /** Who the client is, and where it came in. */
  readonly session: Session;
  /** What it may do. */
  readonly access: Access;
  /** The connection ends once this request is answered. */
  readonly closeAfterAnswer: () => void;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
  /** Aborts also when others want the memory that a long request has: what only waits is then answered as it is. */
  readonly waitSignal: AbortSignal;
  /** Disposes it once the client has taken the answer, or never will. */
  readonly keepUntilSent: (held: Disposable) => void;
  readonly quotaClient: QuotaClient;
  /** Bytes of the request. */
  readonly requestBytes: number;
  /** Throttles the client by so long; the answer says it, if nobody asks for more. */
  readonly throttle: (forMs: number) => void;
  /** Does work that grows with the request, or with what there is, in turns with that of others. */
  readonly inTurns: <T>(steps: Steps<T>) => Promise<T>;
}

/** One API of the broker. Its file's header says which versions there are and what each added. */
export interface Handler<A extends ApiName> {
  /** Versions served, both inclusive. */
  readonly versions: readonly [min: number, max: number];
  /** The first version that ApiVersions answers, where clients have to be told more than is served. */
  readonly advertisedFrom?: number;
  /** Whether the answer tells of what there is: a short request may have a long one. */
  readonly isReport?: (request: RequestOf<A>, node: BrokerNode) => boolean;
  /** Served to who asks, and not told of by ApiVersions. */
  readonly isHidden?: true;
  /**
   * Null: no response goes out (Produce with acks=0). Throws RequestError or ClosingError. Answers in steps, or does
   * its work `inTurns`, where that grows with the request or with what there is. What is answered in steps only looks:
   * it is not gone on with where the client has gone.
   */
  handle(
    request: RequestOf<A>,
    context: RequestContext,
  ): Answer<A> | Promise<Answer<A>> | Steps<Answer<A>>;
}

type Answer<A extends ApiName> = ResponseOf<A> | null;

export type HandlerTable = { readonly [A in ApiName]?: Handler<A> };
