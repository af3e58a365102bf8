import { inTurns, type Steps, workOnEach } from '../../base/turns.ts';
import { type TransactionEnd, unknownTransactionVersion } from '../../coordinator/ports.ts';
import type { MarkersRequest, MarkersResponse } from '../../coordinator/transaction/markerPort.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { isOfNobody } from '../../protocol/records/recordBatch.ts';
import type { BrokerView } from '../brokerView.ts';
import { offsetsTopic } from '../controller/topicNames.ts';
import { type Partition, PartitionError } from '../partition.ts';
import { answerableError, partitionOf } from '../partitionLookup.ts';
import { markerPlaces, markersRefused, markersWritten } from './markerAnswers.ts';
import { markerBatch } from './markerBatch.ts';

/** How long a marker may take to reach every replica in sync: Kafka's request.timeout.ms. */
const timeoutMs = 30_000;

/**
 * Ends transactions in the partitions that this broker leads. Over a marker of no producer everything is refused, once
 * those before it are written. [KafkaApis.handleWriteTxnMarkersRequest, MemoryRecordsBuilder.validateProducerState]
 */
export async function writeMarkers(
  node: BrokerView,
  { markers }: MarkersRequest,
): Promise<MarkersResponse> {
  const impossible = await inTurns(firstImpossible(node, markers));
  const possible = impossible < 0 ? markers : markers.slice(0, impossible);
  const written = await write(node, possible);
  return impossible < 0 ? written : inTurns(markersRefused(markers, 'UNKNOWN_SERVER_ERROR'));
}

type Marker = MarkersRequest['markers'][number];

function* firstImpossible(node: BrokerView, markers: readonly Marker[]): Steps<number> {
  for (const [i, marker] of markers.entries()) {
    yield;
    if (isOfNobody(marker) && (yield* hasLog(node, marker))) return i;
  }
  return -1;
}

/** The marker goes to a log as it is, not by way of the group coordinator. */
function* hasLog(node: BrokerView, { topics }: Marker): Steps<boolean> {
  for (const { name, partitionIndexes } of topics) {
    yield;
    if (name === offsetsTopic) continue;
    for (const index of partitionIndexes) {
      yield;
      if (node.partition(name, index)) return true;
    }
  }
  return false;
}

async function write(node: BrokerView, markers: readonly Marker[]): Promise<MarkersResponse> {
  const places = await inTurns(markerPlaces(markers));
  const errors = await workOnEach(places, ({ topic, partition, marker }) => {
    const { transactionResult: isCommit, ...rest } = marker;
    return endIn(node, topic, partition, { ...rest, isCommit });
  });
  return inTurns(markersWritten(places, errors));
}

async function endIn(
  node: BrokerView,
  topic: string,
  index: number,
  marker: TransactionEnd,
): Promise<number> {
  if (!node.partition(topic, index)) return errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
  if (topic === offsetsTopic) return endInGroups(node, index, marker);
  try {
    const partition = partitionOf(node, topic, index);
    if (marker.transactionVersion === unknownTransactionVersion)
      return errorCodes.UNKNOWN_SERVER_ERROR;
    await append(node, partition, marker);
    return errorCodes.NONE;
  } catch (error) {
    return errorCodes[answerableError(node, `a marker for ${topic}-${index}`, error)];
  }
}

/** The group coordinator has to see the marker: it makes pending offsets count. */
async function endInGroups(
  node: BrokerView,
  partition: number,
  marker: TransactionEnd,
): Promise<number> {
  const errorCode = await node.groupCoordinator.offsets.completeTransaction(partition, marker);
  const isNotReady =
    errorCode === errorCodes.COORDINATOR_NOT_AVAILABLE ||
    errorCode === errorCodes.COORDINATOR_LOAD_IN_PROGRESS ||
    errorCode === errorCodes.NOT_COORDINATOR;
  return isNotReady ? errorCodes.NOT_LEADER_OR_FOLLOWER : errorCode;
}

async function append(
  { cluster: { clock } }: BrokerView,
  partition: Partition,
  marker: TransactionEnd,
): Promise<void> {
  const { transactionVersion } = marker;
  const { lastOffset } = await partition.append(markerBatch(marker, clock.nowMs()), {
    origin: 'coordinator',
    requiresAll: true,
    transactionVersion,
  });
  if (partition.log.highWatermark > lastOffset) return;
  await new Promise<void>((resolve, reject) => {
    const deadline = clock.setTimer(timeoutMs, () =>
      reject(new PartitionError('REQUEST_TIMED_OUT', 'the replicas in sync did not follow')),
    );
    partition
      .whenCommitted(lastOffset + 1n)
      .then(resolve, reject)
      .finally(() => deadline.dispose());
  });
}
