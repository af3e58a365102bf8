/** Who wants something, and from where. */
export interface Client {
  /** `User:alice` */
  readonly principal: string;
  /** Its address, as text. */
  readonly host: string;
}

/** What is wanted, in Kafka's numbers. */
export interface Action {
  readonly operation: number;
  readonly resourceType: number;
  readonly resourceName: string;
}
