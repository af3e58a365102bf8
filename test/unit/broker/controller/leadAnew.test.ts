import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { metadataRecord } from '../../../../src/broker/controller/controller.ts';
import { leadAnew } from '../../../../src/broker/controller/leadAnew.ts';
import { MetadataImage } from '../../../../src/broker/controller/metadataImage.ts';
import { decodeMetadataRecord } from '../../../../src/protocol/records/metadataRecordCodec.ts';

const [topicId, other] = ['Zmlyc3QtdG9waWMtaWQtMQ', 'c2Vjb25kLXRvcGljLWlkMg'];
const led = { topic: 't', topicId, partition: 0 };

function imageOfOne(): MetadataImage {
  const image = new MetadataImage();
  const partition = { topicId, partitionId: 0, replicas: [1], isr: [1], leader: 1, leaderEpoch: 4 };
  const made = [
    metadataRecord('topic', { name: 't', topicId }),
    metadataRecord('partition', partition),
  ];
  made.forEach(({ value }, i) => image.replay(decodeMetadataRecord(value), BigInt(i)));
  return image;
}

describe('leading a partition anew', () => {
  it('is a change to no leader and one to the broker: two leader epochs', () => {
    const image = imageOfOne();
    const { records } = leadAnew(image, led, 1);
    const told = records.map(({ value }, i) => {
      image.replay(decodeMetadataRecord(value), BigInt(i + 2));
      const { leader, leaderEpoch, isr } = image.topic('t')?.partitions[0] ?? {};
      return [leader, leaderEpoch, isr];
    });
    assert.deepEqual(told, [
      [-1, 5, [1]],
      [1, 6, [1]],
    ]);
  });

  it('is nothing where the topic is gone or another one, or where somebody else leads', () => {
    const image = imageOfOne();
    assert.deepEqual(leadAnew(image, { ...led, topic: 'gone' }, 1).records, []);
    assert.deepEqual(leadAnew(image, { ...led, topicId: other }, 1).records, []);
    assert.deepEqual(leadAnew(image, { ...led, partition: 1 }, 1).records, []);
    assert.deepEqual(leadAnew(image, led, 2).records, []);
  });
});
