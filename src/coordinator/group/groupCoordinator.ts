/** Consumer groups and their offsets, for the partitions of `__consumer_offsets` that this broker leads. */
export class GroupCoordinator {}
