const oldest = [22, 15] as const;

/** Why this Node will not do, in a line; undefined if it will. Written so that an old Node can run it. */
export function oldNodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  return isNewEnough
    ? undefined
    : `kafka-workbench needs Node ${oldest.join('.')} or newer; this is Node ${version}.`;
}
