import { installOnce } from '../../../../.ci/installOnce.ts';
import { run } from '../../../support/process.ts';

export interface Repository {
  readonly name: string;
  readonly url: string;
  readonly tag: string;
  /** Builds it, or installs what its tests need. */
  readonly prepare: (folder: string) => Promise<void>;
}

/**
 * A repository at one tag, fetched once. `KAFKA_WORKBENCH_SUITE_NAME` may hold another place to clone from, for
 * machines that do not reach the repository itself.
 */
export function checkOut({ name, url, tag, prepare }: Repository): Promise<string> {
  return installOnce(`${name}-suite-${tag}`, async (folder) => {
    const variable = `KAFKA_WORKBENCH_SUITE_${name.toUpperCase().replaceAll('-', '_')}`;
    const source = process.env[variable] ?? url;
    const clone = ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--depth', '1'];
    const { code, stderr } = await run('git', [...clone, '--branch', tag, source, folder], {
      timeoutMs: 300_000,
    });
    if (code !== 0)
      throw new Error(
        `${name} ${tag} could not be fetched; set ${variable} to a clone of it\n${stderr}`,
      );
    await prepare(folder);
  });
}
