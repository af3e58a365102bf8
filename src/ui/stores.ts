import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { ProfileStore } from '../cluster/clusterRegistry.ts';
import type { ClusterProfile } from '../cluster/model.ts';
import type { SecretStore } from '../cluster/connections/profileSecrets.ts';
import { storedProfile } from '../cluster/connections/storedProfile.ts';

const profilesKey = 'kafkaWorkbench.profiles';

/** Remote profiles in the editor's global state. What another version put there is left out, and left there. */
export function mementoProfileStore(memento: Pick<vscode.Memento, 'get' | 'update'>): ProfileStore {
  const stored = (): unknown[] => {
    const value = memento.get<unknown>(profilesKey, []);
    return Array.isArray(value) ? value : [];
  };
  return {
    load: () =>
      stored().flatMap((entry): ClusterProfile[] => {
        const parsed = v.safeParse(storedProfile, entry);
        return parsed.success ? [parsed.output] : [];
      }),
    async save(profiles) {
      const remote = profiles.filter(({ kind }) => kind === 'remote');
      const foreign = stored().filter((entry) => !v.is(storedProfile, entry));
      await memento.update(profilesKey, [...remote, ...foreign]);
    },
  };
}

/** Secrets in the editor's secret storage, which the operating system's key chain protects. */
export function editorSecretStore(secrets: vscode.SecretStorage): SecretStore {
  const keyOf = (key: string): string => `kafkaWorkbench.${key}`;
  return {
    get: async (key) => secrets.get(keyOf(key)),
    set: async (key, secret) => secrets.store(keyOf(key), secret),
    delete: async (key) => secrets.delete(keyOf(key)),
  };
}
