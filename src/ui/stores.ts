import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { ProfileStore, SecretStore } from '../cluster/clusterRegistry.ts';
import type { ClusterProfile } from '../cluster/model.ts';

const profilesKey = 'kafkaWorkbench.profiles';

const storedProfile = v.object({
  id: v.string(),
  name: v.string(),
  kind: v.literal('remote'),
  bootstrap: v.array(v.string()),
  readOnly: v.boolean(),
});

/** Remote profiles in the editor's global state. What is not a profile, from another version, is left out. */
export function mementoProfileStore(memento: vscode.Memento): ProfileStore {
  return {
    load() {
      const stored = memento.get<unknown>(profilesKey, []);
      if (!Array.isArray(stored)) return [];
      return stored.flatMap((entry): ClusterProfile[] => {
        const parsed = v.safeParse(storedProfile, entry);
        return parsed.success ? [parsed.output] : [];
      });
    },
    async save(profiles) {
      await memento.update(
        profilesKey,
        profiles.filter(({ kind }) => kind === 'remote'),
      );
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
