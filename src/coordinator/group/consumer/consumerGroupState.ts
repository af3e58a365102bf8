/** As ConsumerGroupDescribe and ListGroups show them. */
export type ConsumerGroupState = 'Empty' | 'Assigning' | 'Reconciling' | 'Stable';

/** What a group's state follows from. */
export interface StateFacts {
  readonly memberCount: number;
  readonly groupEpoch: number;
  readonly targetEpoch: number;
  /** All members have what the target assignment gives them. */
  readonly isReconciled: () => boolean;
}

/**
 * Unlike a classic group's, the state is not kept: it is the first of these that holds. A group that is deleted
 * (Kafka's Dead) is not there any more. [ConsumerGroup.maybeUpdateGroupState]
 */
const states: readonly [ConsumerGroupState, (facts: StateFacts) => boolean][] = [
  ['Empty', ({ memberCount }) => memberCount === 0],
  ['Assigning', ({ groupEpoch, targetEpoch }) => groupEpoch > targetEpoch],
  ['Reconciling', ({ isReconciled }) => !isReconciled()],
];

export function consumerGroupState(facts: StateFacts): ConsumerGroupState {
  return states.find(([, holds]) => holds(facts))?.[0] ?? 'Stable';
}
