import { decodeMessage } from '../../protocol/messageCodec.ts';
import { ProtocolError } from '../../protocol/protocolError.ts';
import { consumerProtocolSubscription } from '../../protocol/records/consumerProtocol.ts';

const versionBytes = 2;

/**
 * The topics that members with this metadata subscribe to; null if any cannot be read. Version 0 is the
 * prefix of all later versions, so that the coordinator need not know them. [ClassicGroup.computeSubscribedTopics]
 */
export function subscribedTopics(
  metadata: readonly (Uint8Array | undefined)[],
): ReadonlySet<string> | null {
  const topics = new Set<string>();
  try {
    for (const bytes of metadata) {
      if (bytes === undefined || bytes.byteLength < versionBytes) return null;
      const body = bytes.subarray(versionBytes);
      for (const topic of decodeMessage(consumerProtocolSubscription, 0, body).topics) {
        topics.add(topic);
      }
    }
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
  return topics;
}
