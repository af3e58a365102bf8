import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { secretNames } from '../../cluster/connections/profileSecrets.ts';
import { testProfile } from '../../cluster/connections/profileTest.ts';
import { connectionSteps } from '../connections/connectionSteps.ts';
import {
  type ConnectionDraft,
  draftOfProfile,
  newDraft,
  profileOfDraft,
  secretsOfDraft,
} from '../connections/draft.ts';
import { importedConnection } from '../connections/importedConnection.ts';
import { reportWords } from '../connections/reportWords.ts';
import { runSteps } from '../connections/wizard.ts';
import { sessionOf } from '../sessions.ts';
import { clusterNodeId } from '../trees/project.ts';
import type { Workbench } from '../workbench.ts';
import { confirm, withProgress } from './prompts.ts';
import { type ClusterTarget, clusterTarget, type CommandCall, rowOf, targetOf } from './targets.ts';

export async function connectCluster({ workbench, title }: CommandCall): Promise<void> {
  await addConnection(workbench, await askAll(workbench, title, newDraft()));
}

export async function importConnection({ workbench, title }: CommandCall): Promise<void> {
  const draft = await importedConnection(workbench.log, title, namesBeside(workbench, undefined));
  await addConnection(workbench, draft);
}

export async function duplicateConnection(call: CommandCall): Promise<void> {
  const { workbench, title } = call;
  const { profile } = await remoteTarget(call);
  const secrets = await workbench.registry.secrets(profile.id);
  const copy = draftOfProfile(profile, { secrets, stored: [] });
  const name = t('{0} copy', profile.name);
  await addConnection(workbench, await askAll(workbench, title, { ...copy, name }));
}

export async function editConnection(call: CommandCall): Promise<void> {
  const { workbench, title } = call;
  const { profile } = await remoteTarget(call);
  const { id } = profile;
  const known = await workbench.registry.secrets(id);
  const stored = secretNames.filter((name) => known[name] !== undefined);
  const before = draftOfProfile(profile, { secrets: {}, stored });
  const draft = await askAll(workbench, title, before, profile);
  await workbench.registry.edit(id, profileOfDraft(draft), {
    secrets: secretsOfDraft(draft, known),
  });
  await connect(workbench, workbench.registry.profile(id) ?? profile);
}

/** Says what answers there, without changing the connection that the tree has. */
export async function testConnection(call: CommandCall): Promise<void> {
  const { profile } = await remoteTarget(call);
  const secrets = await call.workbench.registry.secrets(profile.id);
  const report = await withProgress(t('Testing {0}', profile.name), ({ signal }) =>
    testProfile(profile, secrets, signal),
  );
  const { message, isGood } = reportWords(profile.name, report);
  const show = isGood ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  await show(message);
}

export async function removeConnection(call: CommandCall): Promise<void> {
  const { profile } = await remoteTarget(call);
  await confirm(
    t('Remove the connection {0}?', profile.name),
    t(
      'The workbench forgets {0}, with its passwords. Nothing on the cluster changes.',
      profile.bootstrap.join(', '),
    ),
    t('Remove'),
    undefined,
  );
  await call.workbench.registry.remove(profile.id);
}

export async function reconnect(call: CommandCall): Promise<void> {
  const { profile, session } = await remoteTarget(call);
  session.disconnect();
  await connect(call.workbench, profile);
}

export async function disconnect(call: CommandCall): Promise<void> {
  const { session } = await remoteTarget(call);
  session.disconnect();
}

async function remoteTarget(call: CommandCall): Promise<ClusterTarget> {
  const row = rowOf(call, 'cluster');
  if (row) return targetOf(call.workbench, row.cluster);
  if (!call.workbench.registry.profiles.some(({ kind }) => kind === 'remote')) {
    throw new Error(t('There is no connection to another cluster yet.'));
  }
  return clusterTarget({ ...call, cell: undefined }, ({ kind }) => kind === 'remote');
}

function askAll(
  workbench: Workbench,
  title: string,
  draft: ConnectionDraft,
  edited?: ClusterProfile,
): Promise<ConnectionDraft> {
  const taken = namesBeside(workbench, edited);
  return runSteps(title, draft, (now) => connectionSteps(now, taken));
}

function namesBeside(workbench: Workbench, edited: ClusterProfile | undefined): string[] {
  const others = workbench.registry.profiles.filter(({ id }) => id !== edited?.id);
  return others.map(({ name }) => name);
}

async function addConnection(workbench: Workbench, draft: ConnectionDraft): Promise<void> {
  await connect(workbench, await workbench.registry.add(profileOfDraft(draft), draft.secrets));
}

/** Connects now, so that a wrong address or password shows at once. The profile stays either way. */
async function connect(workbench: Workbench, profile: ClusterProfile): Promise<void> {
  const session = sessionOf(workbench.registry, profile);
  await withProgress(t('Connecting to {0}', profile.name), ({ signal }) => session.connect(signal));
  vscode.window.setStatusBarMessage(t('Connected to {0}', profile.name), 3000);
  await workbench.view.reveal(clusterNodeId(profile), { expand: true });
}
