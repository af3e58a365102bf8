/** [java.lang.String.hashCode] */
export function hashCodeOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

/** Java's `String.hashCode`, made non-negative as Kafka's `Utils.abs` does. */
export function javaStringHash(text: string): number {
  const hash = hashCodeOf(text);
  return hash === -(2 ** 31) ? 0 : Math.abs(hash);
}
