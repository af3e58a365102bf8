import type { Decision } from '../../runtime/decision.ts';
import type { GroupState } from '../groupState.ts';
import type { ConsumerGroup } from './consumerGroup.ts';

/** One event of a consumer group, as it is decided. */
export interface Turn {
  readonly state: GroupState;
  readonly group: ConsumerGroup;
  readonly decision: Decision;
}
