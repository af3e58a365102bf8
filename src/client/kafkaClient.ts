import type { Disposable } from '../base/disposable.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import type { ApiName, apis } from '../protocol/apis.ts';
import type { Message, MessageInput } from '../protocol/schema.ts';
import { plaintext, type SecurityOptions } from './security.ts';

export interface KafkaClientOptions {
  /** `host:port` list. */
  readonly bootstrap: readonly string[];
  readonly clientId?: string;
  readonly security?: SecurityOptions;
  readonly logger?: Logger;
}

export type RequestOf<A extends ApiName> = MessageInput<(typeof apis)[A]['request']>;
export type ResponseOf<A extends ApiName> = Message<(typeof apis)[A]['response']>;

/** Which broker a request is for; a number is a broker's id. */
export type Target =
  | 'any'
  | 'controller'
  | number
  | { readonly leader: { readonly topic: string; readonly partition: number } }
  | { readonly coordinator: string };

export interface RequestOptions {
  readonly to: Target;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** Our own Kafka client: connections, routing, retries. Never creates a topic or a group by itself. */
export class KafkaClient implements Disposable {
  readonly security: SecurityOptions;
  readonly logger: Logger;

  constructor(options: KafkaClientOptions) {
    this.security = options.security ?? plaintext;
    this.logger = options.logger ?? silentLogger;
  }

  /** Sends a request to the broker that `to` names, at the highest version both sides know. */
  request<A extends ApiName>(
    _api: A,
    _body: RequestOf<A>,
    _options: RequestOptions,
  ): Promise<ResponseOf<A>> {
    return Promise.reject(new Error('not there yet'));
  }

  dispose(): void {
    this.logger.debug('client closed');
  }
}
