import type { Uuid } from '../base/uuid.ts';
import type { FileSystem } from '../storage/fileSystem.ts';

/** The id of the cluster that a data directory belongs to; undefined where it is new. [MetaProperties] */
export async function loadClusterId(
  fileSystem: FileSystem,
  dataDir: string,
): Promise<Uuid | undefined> {
  const properties = await fileSystem.readFile(`${dataDir}/controller/meta.properties`);
  return properties && /^cluster\.id=(.+)$/m.exec(properties.toString())?.[1]?.trim();
}
