import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { metadataRecord } from '../../../../src/broker/controller/controller.ts';
import { MetadataImage, resourceTypes } from '../../../../src/broker/controller/metadataImage.ts';
import { decodeMetadataRecord } from '../../../../src/protocol/records/metadataRecordCodec.ts';

const [first, second] = ['Zmlyc3QtdG9waWMtaWQtMQ', 'c2Vjb25kLXRvcGljLWlkMg'];

function imageOf(...records: ReturnType<typeof metadataRecord>[]): MetadataImage {
  const image = new MetadataImage();
  records.forEach(({ value }, i) => image.replay(decodeMetadataRecord(value), BigInt(i)));
  return image;
}

const partition = (topicId: string, partitionId = 0) =>
  metadataRecord('partition', {
    topicId,
    partitionId,
    replicas: [1, 2],
    isr: [1, 2],
    leader: 1,
    leaderEpoch: 4,
    partitionEpoch: 9,
  });
const made = [metadataRecord('topic', { name: 't', topicId: first }), partition(first)];

describe('the metadata image', () => {
  it('finds topics by name and by id', () => {
    const image = imageOf(...made);
    assert.equal(image.topic('t'), image.topicById(first));
    assert.equal(image.topic('t')?.partitions[0]?.leaderEpoch, 4);
    assert.equal(image.offset, 1n);
  });

  it('keeps the names of topics in order, as topics come and go', () => {
    const image = imageOf(
      metadataRecord('topic', { name: 'b', topicId: first }),
      metadataRecord('topic', { name: 'B', topicId: second }),
    );
    assert.deepEqual(image.topicNames, ['B', 'b']);
    const replay = ({ value }: ReturnType<typeof metadataRecord>): void =>
      image.replay(decodeMetadataRecord(value), 9n);
    replay(metadataRecord('removeTopic', { topicId: first }));
    assert.deepEqual(image.topicNames, ['B']);
    replay(metadataRecord('topic', { name: 'A', topicId: first }));
    assert.deepEqual(image.topicNames, ['A', 'B']);
  });

  it('starts a new leader epoch with a new leader, and a new partition epoch with any change', () => {
    const image = imageOf(
      ...made,
      metadataRecord('partitionChange', { topicId: first, partitionId: 0, isr: [1] }),
    );
    const shrunk = image.topic('t')?.partitions[0];
    assert.deepEqual(
      [shrunk?.leader, shrunk?.leaderEpoch, shrunk?.partitionEpoch, shrunk?.isr],
      [1, 4, 10, [1]],
    );
    const { value } = metadataRecord('partitionChange', {
      topicId: first,
      partitionId: 0,
      leader: 2,
    });
    image.replay(decodeMetadataRecord(value), 3n);
    const moved = image.topic('t')?.partitions[0];
    assert.deepEqual([moved?.leader, moved?.leaderEpoch, moved?.partitionEpoch], [2, 5, 11]);
  });

  it('takes a topic that is made again for another one, without the configs of the first', () => {
    const config = metadataRecord('config', {
      resourceType: resourceTypes.topic,
      resourceName: 't',
      name: 'retention.ms',
      value: '5',
    });
    const image = imageOf(
      ...made,
      config,
      metadataRecord('removeTopic', { topicId: first }),
      metadataRecord('topic', { name: 't', topicId: second }),
      partition(second),
    );
    assert.equal(image.topicById(first), undefined);
    assert.equal(image.topic('t')?.topicId, second);
    assert.deepEqual([...(image.topic('t')?.configs ?? [])], []);
  });

  it('has no feature that was taken away', () => {
    const of = (featureLevel: number) =>
      metadataRecord('featureLevel', { name: 'transaction.version', featureLevel });
    assert.deepEqual([...imageOf(of(2), of(0)).features], []);
    assert.deepEqual([...imageOf(of(0), of(1)).features], [['transaction.version', 1]]);
  });

  it('lets go of what concerns a topic that is gone', () => {
    const image = imageOf(partition(first), metadataRecord('removeTopic', { topicId: first }));
    assert.equal(image.topics.size, 0);
  });
});
