import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import {
  clientKindLabel,
  clientKinds,
  clientSettings,
} from '../../cluster/clientSettings/clientSettings.ts';
import { embeddedProfileId } from '../../cluster/embedded/embeddedProfile.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { plaintextProfile } from '../../cluster/connections/profileSecurity.ts';
import { tickStep } from '../firstSteps.ts';
import { embeddedStateWord } from '../stateWords.ts';
import { counted, listed } from '../text.ts';
import type { Workbench } from '../workbench.ts';
import { advanceClock, runMaintenance } from './clockCommands.ts';
import { confirmStop } from './confirmStop.ts';
import { type Choice, choose, withProgress } from './prompts.ts';
import { type ClusterTarget, clusterTarget, type CommandCall, targetOf } from './targets.ts';

export async function startEmbedded({ workbench }: CommandCall): Promise<void> {
  await started(workbench);
}

/** Starts or finds the embedded cluster, and connects to it. */
function started(workbench: Workbench): Promise<ClusterTarget> {
  return withProgress(t('Starting the embedded cluster'), async ({ signal }) => {
    await workbench.embedded.start(signal);
    const embedded = embeddedTarget(workbench);
    await embedded.session.connect(signal);
    return embedded;
  });
}

function embeddedTarget(workbench: Workbench): ClusterTarget {
  const profile = workbench.registry.profile(embeddedProfileId);
  if (!profile) throw new Error(t('There is no embedded cluster in this window.'));
  return targetOf(workbench, profile);
}

export async function stopEmbedded({ workbench }: CommandCall): Promise<void> {
  await confirmStop(workbench, {
    question: t('Stop the embedded cluster while clients are connected?'),
    answer: t('Stop'),
  });
  await withProgress(t('Stopping the embedded cluster'), ({ signal }) =>
    workbench.embedded.stop(signal),
  );
}

export async function restartEmbedded({ workbench }: CommandCall): Promise<void> {
  await confirmStop(workbench, {
    question: t('Restart the embedded cluster while clients are connected?'),
    answer: t('Restart'),
  });
  await withProgress(t('Restarting the embedded cluster'), ({ signal }) =>
    workbench.embedded.restart(signal),
  );
}

/** What the status bar item offers. */
export async function embeddedActions(call: CommandCall): Promise<void> {
  const { workbench } = call;
  const action = (
    label: string,
    icon: string,
    value: () => Promise<void> | Thenable<void>,
  ): Choice<() => Promise<void> | Thenable<void>> => ({ label: `$(${icon}) ${label}`, value });
  const embedded = (): ClusterProfile => embeddedTarget(workbench).profile;
  const running = workbench.embedded.state.kind === 'running';
  const choices = running
    ? [
        action(t('Copy bootstrap address'), 'copy', () => copyBootstrapOf(call, embedded())),
        action(t('Copy client settings'), 'settings', () => copySettingsOf(call, embedded())),
        action(t('Load sample data'), 'beaker', () => loadSampleData(call)),
        action(t("Advance the cluster's clock"), 'watch', () => advanceClock(call)),
        action(t("Run the cluster's maintenance now"), 'tools', () => runMaintenance(call)),
        action(t('Restart the embedded cluster'), 'debug-restart', () => restartEmbedded(call)),
        action(t('Stop the embedded cluster'), 'debug-stop', () => stopEmbedded(call)),
      ]
    : [action(t('Start the embedded cluster'), 'play', () => startEmbedded(call))];
  const show = action(t('Show clusters'), 'list-tree', () =>
    vscode.commands.executeCommand('kafkaWorkbench.clusters.focus'),
  );
  const log = action(t('Show log'), 'output', () => {
    workbench.log.show();
    return Promise.resolve();
  });
  const { state } = workbench.embedded;
  const act = await choose(
    {
      title: t('Embedded cluster'),
      placeholder:
        state.kind === 'running'
          ? t('Running on {0}', state.bootstrap)
          : embeddedStateWord(state.kind),
    },
    [...choices, show, log],
  );
  await act();
}

export async function copyBootstrap(call: CommandCall): Promise<void> {
  const { profile } = await clusterTarget(call);
  await copyBootstrapOf(call, profile);
}

async function copyBootstrapOf(call: CommandCall, profile: ClusterProfile): Promise<void> {
  const address = addressesOf(call, profile).join(',');
  await vscode.env.clipboard.writeText(address);
  tickStep('tookSettings');
  vscode.window.setStatusBarMessage(t('Copied {0}', address), 3000);
}

export async function copyClientSettings(call: CommandCall): Promise<void> {
  const { profile } = await clusterTarget(call);
  await copySettingsOf(call, profile);
}

/** What an application needs to connect, in the words of the client that the person chooses. */
async function copySettingsOf(call: CommandCall, profile: ClusterProfile): Promise<void> {
  const bootstrap = addressesOf(call, profile);
  const { security = plaintextProfile } = profile;
  const kind = await choose(
    { title: t('Copy client settings'), placeholder: t('For which client?') },
    clientKinds.map((value) => ({ label: clientKindLabel(value), value })),
  );
  await vscode.env.clipboard.writeText(clientSettings(kind, { bootstrap, security }));
  tickStep('tookSettings');
  vscode.window.setStatusBarMessage(t('Copied settings for {0}', clientKindLabel(kind)), 3000);
}

function addressesOf(call: CommandCall, profile: ClusterProfile): readonly string[] {
  if (profile.kind === 'remote') return profile.bootstrap;
  const { state } = call.workbench.embedded;
  if (state.kind === 'running') return [state.bootstrap];
  throw new Error(t('The embedded cluster is not running, so it has no address. Start it first.'));
}

/** Starts the embedded cluster if need be, and fills it with a topic and two groups to look at. */
export async function loadSampleData({ workbench }: CommandCall): Promise<void> {
  const target = await started(workbench);
  const { context, log } = workbench;
  // Loaded only now, as are the panels: what reads and writes records is most of the extension's code.
  const { loadSampleData: fill, sampleTopic } =
    await import('../../cluster/embedded/sampleData.ts');
  if (await hasTopic(target, sampleTopic)) {
    void offerTail(workbench, target, {
      topic: sampleTopic,
      message: t('The sample is loaded already, in topic {0}.', sampleTopic),
      answer: t('Show {0}', sampleTopic),
    });
    return;
  }
  const result = await withProgress(t('Loading sample data'), ({ signal, report }) =>
    fill({
      session: target.session,
      dataPath: context.asAbsolutePath('dist/sample/flights.jsonl.gz'),
      consumersPath: context.asAbsolutePath('dist/sample.js'),
      executable: process.execPath,
      logger: log,
      signal,
      onProgress: report,
    }),
  );
  await workbench.model.refresh();
  const message = t(
    'Topic {0} holds {1}. Groups that have read some of it: {2}.',
    result.topic,
    counted(result.recordCount, 'record'),
    listed(result.groups),
  );
  void offerTail(workbench, target, {
    topic: result.topic,
    message,
    answer: t('Tail {0}', result.topic),
  });
}

async function hasTopic({ session }: ClusterTarget, name: string): Promise<boolean> {
  const topics = await session.topics();
  return topics.some((topic) => topic.name === name);
}

async function offerTail(
  { panels }: Workbench,
  { profile }: ClusterTarget,
  { topic, message, answer }: { readonly topic: string; message: string; answer: string },
): Promise<void> {
  if ((await vscode.window.showInformationMessage(message, answer)) !== answer) return;
  panels.openTail({ cluster: profile, topic, from: 'last 100', isFresh: true });
}
