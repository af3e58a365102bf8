import * as vscode from 'vscode';
import type { NewProfile } from '../../cluster/clusterRegistry.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { sessionOf } from '../sessions.ts';
import { clusterNodeId } from '../trees/project.ts';
import type { Workbench } from '../workbench.ts';
import { askText, type Choice, choose, confirm, withProgress } from './prompts.ts';
import { type ClusterTarget, clusterTarget, type CommandCall, rowOf, targetOf } from './targets.ts';
import { bootstrapProblem, connectionNameProblem, parseBootstrap } from './validate.ts';

export async function connectCluster({ workbench }: CommandCall): Promise<void> {
  const wanted = await askProfile(workbench, 'Connect to a cluster', undefined);
  const profile = await workbench.registry.add(wanted);
  await test(workbench, profile);
}

export async function editConnection(call: CommandCall): Promise<void> {
  const { profile } = await remoteTarget(call);
  const { workbench } = call;
  const wanted = await askProfile(workbench, 'Edit connection', profile);
  await workbench.registry.edit(profile.id, wanted);
  await test(workbench, workbench.registry.profile(profile.id) ?? profile);
}

export async function removeConnection(call: CommandCall): Promise<void> {
  const { profile } = await remoteTarget(call);
  await confirm(
    `Remove the connection ${profile.name}?`,
    `The workbench forgets ${profile.bootstrap.join(', ')}. Nothing on the cluster changes.`,
    'Remove',
  );
  await call.workbench.registry.remove(profile.id);
}

export async function reconnect(call: CommandCall): Promise<void> {
  const { profile, session } = await remoteTarget(call);
  session.disconnect();
  await test(call.workbench, profile);
}

export async function disconnect(call: CommandCall): Promise<void> {
  const { session } = await remoteTarget(call);
  session.disconnect();
}

async function remoteTarget(call: CommandCall): Promise<ClusterTarget> {
  const row = rowOf(call, 'cluster');
  if (row) return targetOf(call.workbench, row.cluster);
  if (!call.workbench.registry.profiles.some(({ kind }) => kind === 'remote')) {
    throw new Error('There is no connection to another cluster yet.');
  }
  return clusterTarget({ ...call, cell: undefined }, ({ kind }) => kind === 'remote');
}

/** Address, name, and whether it may be written to. Starts from `known` when editing. */
async function askProfile(
  workbench: Workbench,
  title: string,
  known: ClusterProfile | undefined,
): Promise<NewProfile> {
  const bootstrap = parseBootstrap(
    await askText({
      title: `${title} (1 of 3)`,
      prompt:
        'Bootstrap servers: host:port of at least one broker. Several are separated by commas.',
      placeholder: 'localhost:9092',
      ...(known && { value: known.bootstrap.join(',') }),
      validate: bootstrapProblem,
    }),
  );
  const others = workbench.registry.profiles.filter(({ id }) => id !== known?.id);
  const name = await askText({
    title: `${title} (2 of 3)`,
    prompt: 'A name for this connection.',
    value: known?.name ?? bootstrap[0] ?? '',
    validate: (text) =>
      connectionNameProblem(
        text,
        others.map((other) => other.name),
      ),
  });
  const access: Choice<boolean>[] = [
    {
      label: 'Read and write',
      detail: 'Produce, create and delete topics, reset offsets.',
      value: false,
    },
    { label: 'Read only', detail: 'The workbench refuses whatever would change it.', value: true },
  ];
  const readOnly = await choose(
    { title: `${title} (3 of 3)`, placeholder: 'What may be done on this cluster?' },
    known?.readOnly ? access.toReversed() : access,
  );
  return { bootstrap, name, readOnly };
}

/** Connects now, so that a wrong address shows at once. The profile stays either way. */
async function test(workbench: Workbench, profile: ClusterProfile): Promise<void> {
  const session = sessionOf(workbench.registry, profile);
  await withProgress(`Connecting to ${profile.name}`, ({ signal }) => session.connect(signal));
  vscode.window.setStatusBarMessage(`Connected to ${profile.name}`, 3000);
  await workbench.view.reveal(clusterNodeId(profile), { expand: true });
}
