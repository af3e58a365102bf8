import type {
  writeTxnMarkersRequest,
  writeTxnMarkersResponse,
} from '../../protocol/messages/writeTxnMarkers.ts';
import type { Message, MessageInput } from '../../protocol/schema.ts';

export type MarkersRequest = Message<typeof writeTxnMarkersRequest>;
export type MarkersResponse = MessageInput<typeof writeTxnMarkersResponse>;

/** How the markers that end a transaction reach its partitions: each broker is sent those of what it leads. */
export interface MarkerPort {
  /** Undefined: there is no such partition, or none any more. Null: it is led by nobody that is up. */
  leaderOf(topic: string, partition: number): number | null | undefined;
  /** One WriteTxnMarkers. Rejects where the broker cannot be reached. */
  send(brokerId: number, request: MarkersRequest): Promise<MarkersResponse>;
}
