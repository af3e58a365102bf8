/** Kafka's names, as DescribeGroups and ListGroups show them. */
export type ClassicGroupState =
  'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';

/** From which states each may be entered. [ClassicGroupState] */
const predecessors: Readonly<Record<ClassicGroupState, readonly ClassicGroupState[]>> = {
  Empty: ['PreparingRebalance'],
  PreparingRebalance: ['Stable', 'CompletingRebalance', 'Empty'],
  CompletingRebalance: ['PreparingRebalance'],
  Stable: ['CompletingRebalance'],
  Dead: ['Stable', 'PreparingRebalance', 'CompletingRebalance', 'Empty', 'Dead'],
};

export function canFollow(from: ClassicGroupState, to: ClassicGroupState): boolean {
  return predecessors[to].includes(from);
}
