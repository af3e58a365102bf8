import { mapEachInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import type { MarkersRequest, MarkersResponse } from '../../coordinator/transaction/markerPort.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';

type Marker = MarkersRequest['markers'][number];

/** A partition that a marker is for. */
export interface MarkerPlace {
  readonly marker: Marker;
  readonly topic: string;
  readonly partition: number;
}

/** Partitions of markers, each once a marker. */
export function* markerPlaces(markers: readonly Marker[]): Steps<MarkerPlace[]> {
  const places: MarkerPlace[] = [];
  for (const marker of markers) {
    yield;
    const seen = new Map<string, Set<number>>();
    for (const { name: topic, partitionIndexes } of marker.topics) {
      yield;
      const ofTopic = seen.get(topic) ?? new Set<number>();
      seen.set(topic, ofTopic);
      for (const partition of partitionIndexes) {
        yield;
        if (!ofTopic.has(partition)) places.push({ marker, topic, partition });
        ofTopic.add(partition);
      }
    }
  }
  return places;
}

type ErrorsOfTopics = Map<string, Map<number, number>>;

const noErrors = (): ErrorsOfTopics => new Map<string, Map<number, number>>();

/**
 * The answer, of each producer once: what is said last of a partition counts, and a producer without partitions is not
 * told of. [KafkaApis.handleWriteTxnMarkersRequest]
 */
export function* markersWritten(
  places: readonly MarkerPlace[],
  errors: readonly number[],
): Steps<MarkersResponse> {
  const byProducer = new Map<bigint, ErrorsOfTopics>();
  for (const [index, { marker, ...place }] of places.entries()) {
    const ofProducer = byProducer.get(marker.producerId) ?? noErrors();
    byProducer.set(marker.producerId, ofProducer);
    tell(ofProducer, place, errors[index] ?? errorCodes.NONE);
    yield;
  }
  return yield* answerOf(byProducer);
}

/**
 * One error for all: of a producer's markers the last one's partitions are told.
 * [WriteTxnMarkersRequest.getErrorResponse]
 */
export function* markersRefused(
  markers: readonly Marker[],
  error: ErrorName,
): Steps<MarkersResponse> {
  const last = new Map<bigint, Marker>();
  for (const marker of markers) {
    last.set(marker.producerId, marker);
    yield;
  }
  const byProducer = new Map<bigint, ErrorsOfTopics>();
  for (const producerId of last.keys()) byProducer.set(producerId, noErrors());
  for (const { marker, ...place } of yield* markerPlaces([...last.values()])) {
    const ofProducer = byProducer.get(marker.producerId);
    if (ofProducer) tell(ofProducer, place, errorCodes[error]);
    yield;
  }
  return yield* answerOf(byProducer);
}

function tell(
  errors: ErrorsOfTopics,
  { topic, partition }: Omit<MarkerPlace, 'marker'>,
  errorCode: number,
): void {
  const ofTopic = errors.get(topic) ?? new Map<number, number>();
  errors.set(topic, ofTopic);
  ofTopic.set(partition, errorCode);
}

function* answerOf(byProducer: ReadonlyMap<bigint, ErrorsOfTopics>): Steps<MarkersResponse> {
  const markers = yield* mapEachInSteps(byProducer, function* ([producerId, errors]) {
    const topics = yield* mapEachInSteps(errors, function* ([name, ofTopic]) {
      const partitions = yield* mapInSteps(ofTopic, ([partitionIndex, errorCode]) => ({
        partitionIndex,
        errorCode,
      }));
      return { name, partitions };
    });
    return { producerId, topics };
  });
  return { markers };
}
