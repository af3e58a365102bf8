/** A partition as the key of a map. */
export function keyOf(topic: string, partition: number): string {
  return `${partition} ${topic}`;
}

export function placeOf(key: string): { topic: string; partition: number } {
  const space = key.indexOf(' ');
  return { topic: key.slice(space + 1), partition: Number(key.slice(0, space)) };
}
