/**
 * Whether the time that a client gives the controller is over as it begins: Kafka's then does nothing of what it is
 * asked. [KafkaEventQueue, ControllerRequestContext]
 */
export function isLate({ timeoutMs }: { readonly timeoutMs: number }): boolean {
  return timeoutMs <= 0;
}

export const lateMessage = 'The request has no time left.';
