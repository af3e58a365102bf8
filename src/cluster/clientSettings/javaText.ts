/** A variable as it stands in a value. */
export const reference = (name: string): string => `\${${name}}`;

/** A value of an option in a JAAS line. */
export function jaasQuoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
