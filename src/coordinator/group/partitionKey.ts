let last = { topic: '', partition: -1, key: '' };

/**
 * A partition as the key of a map. Who looks one up often changes it next, one of ten thousands: the same text is made
 * and hashed once.
 */
export function keyOf(topic: string, partition: number): string {
  if (last.partition !== partition || last.topic !== topic) {
    last = { topic, partition, key: `${partition} ${topic}` };
  }
  return last.key;
}

export function placeOf(key: string): { topic: string; partition: number } {
  const space = key.indexOf(' ');
  return { topic: key.slice(space + 1), partition: Number(key.slice(0, space)) };
}
