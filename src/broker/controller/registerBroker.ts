import type { Random } from '../../base/random.ts';
import { randomUuid } from '../../base/uuid.ts';
import { metadataRecord, type MetadataDecision } from './controller.ts';
import type { MetadataImage } from './metadataImage.ts';

/** With log directories; cordoned ones, which version 4 brought, are none of ours. */
const recordVersion = 3;

/**
 * A broker has started. Its epoch is the offset of its registration, and so the next one of the log.
 * [ClusterControlManager.registerBroker]
 */
export function registration(
  image: MetadataImage,
  brokerId: number,
  random: Random,
): MetadataDecision<undefined> {
  const record = metadataRecord(
    'registerBroker',
    {
      brokerId,
      incarnationId: randomUuid(random),
      brokerEpoch: image.offset + 1n,
      endPoints: [],
      features: [],
      rack: null,
      fenced: false,
    },
    { version: recordVersion },
  );
  return { records: [record], result: undefined };
}
