import type { ApiName, apis } from '../protocol/apis.ts';
import type { Message, MessageInput } from '../protocol/schema.ts';
import type { VersionBounds } from './apiVersions.ts';
import type { Deadline } from './waiting.ts';

export type RequestOf<A extends ApiName> = MessageInput<(typeof apis)[A]['request']>;
export type ResponseOf<A extends ApiName> = Message<(typeof apis)[A]['response']>;

/** A body, or how to make it for the version that was agreed. */
export type BodyFor<A extends ApiName> = RequestOf<A> | ((version: number) => RequestOf<A>);

/** Which broker a request is for; a number is a broker's id. */
export type Target =
  | 'any'
  | 'controller'
  | number
  | { readonly leader: { readonly topic: string; readonly partition: number } }
  | { readonly coordinator: string };

/** What every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For the call with all its retries. */
  readonly timeoutMs?: number | undefined;
  /** The time of the call that this one is a part of. The whole is tried again, and no part of it by itself. */
  readonly within?: Deadline | undefined;
}

export interface RequestOptions extends CallOptions, VersionBounds {
  readonly to: Target;
  /** A connection of its own for what waits long at the broker; closed by `closeLane`. */
  readonly lane?: string;
  /** False for what must not happen twice. */
  readonly isRepeatable?: boolean;
  /** False for what a broker never answers: Produce with acks 0. */
  readonly expectsResponse?: boolean;
}

/** Something that sends requests: the client, as its parts see it. */
export interface Requester {
  request<A extends ApiName>(
    api: A,
    body: BodyFor<A>,
    options: RequestOptions,
  ): Promise<ResponseOf<A>>;
}
