import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { errorMessage } from '../base/logger.ts';
import { ActivityFiles } from '../cluster/activity/activityFiles.ts';
import { ActivityLog } from '../cluster/activity/activityLog.ts';
import { ClusterRegistry } from '../cluster/clusterRegistry.ts';
import { isAlive } from '../cluster/embedded/embeddedControl.ts';
import { embeddedProfileId } from '../cluster/embedded/embeddedProfile.ts';
import { EmbeddedCluster } from '../cluster/embedded/embeddedCluster.ts';
import type { EmbeddedSettings } from '../cluster/embedded/embeddedSettings.ts';
import { OffsetHistory } from '../cluster/offsets/offsetHistory.ts';
import { LagSampler } from '../cluster/lag/lagSampler.ts';
import { ActivityView } from './activity/activityView.ts';
import { undoneOf } from './activity/activityWords.ts';
import { commandId, contextKeys } from './contributions.ts';
import { Environment } from './environment/environment.ts';
import { tickChanges } from './firstSteps.ts';
import { DecoderChoices } from './panels/decoderChoices.ts';
import { tellOfLag } from './panels/lagNotice.ts';
import { LagStatus } from './panels/lagStatus.ts';
import type { LagSubject } from './panels/lagSubject.ts';
import { type LagRaised, LagWatches } from './panels/lagWatches.ts';
import { Panels } from './panels/panels.ts';
import type { Startable } from './panels/standby.ts';
import { SavedDrafts } from './savedDrafts.ts';
import { sessionOf } from './sessions.ts';
import { onDidChangeSetting, setting } from './settings.ts';
import { editorSecretStore, mementoProfileStore } from './stores.ts';
import { ClustersModel } from './trees/clustersModel.ts';
import { ClustersView } from './trees/clustersView.ts';
import { OpenRows } from './trees/openRows.ts';
import { SavedView } from './trees/savedView.ts';
import { TreeChoices } from './trees/treeChoices.ts';

const embeddedUsedKey = 'kafkaWorkbench.embeddedUsed';

/** Everything that lives as long as the window. Making it starts nothing; what runs already is found again. */
export class Workbench extends DisposableStore {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  /** What was changed, by whom in this editor ever. */
  readonly activity: ActivityLog;
  /** Where groups were before their commits were changed. */
  readonly offsetHistory: OffsetHistory;
  readonly embedded: EmbeddedCluster;
  readonly registry: ClusterRegistry;
  readonly choices: TreeChoices;
  readonly model: ClustersModel;
  readonly view: ClustersView;
  readonly lag: LagWatches;
  readonly drafts: SavedDrafts;
  readonly activityView: ActivityView;
  readonly panels: Panels;

  constructor(context: vscode.ExtensionContext) {
    super();
    this.context = context;
    this.log = this.add(vscode.window.createOutputChannel('Kafka Workbench', { log: true }));
    const stored = (name: string): string => path.join(context.globalStorageUri.fsPath, name);
    this.offsetHistory = new OffsetHistory({ folder: stored('offset-history') });
    this.activity = this.add(
      new ActivityLog({
        store: new ActivityFiles(stored('activity')),
        logger: this.log,
        pid: process.pid,
        isAlive,
      }),
    );
    this.embedded = this.add(
      new EmbeddedCluster({
        executable: process.execPath,
        cliPath: context.asAbsolutePath('dist/cli.js'),
        dataDir: dataDirectory(context),
        settings: embeddedSettings,
        changes: this.activity,
        logger: this.log,
      }),
    );
    this.registry = this.add(
      new ClusterRegistry({
        profiles: mementoProfileStore(context.globalState),
        secrets: editorSecretStore(context.secrets),
        embedded: this.embedded,
        changes: this.activity,
        logger: this.log,
      }),
    );
    this.choices = new TreeChoices(context.globalState);
    this.model = this.add(
      new ClustersModel({
        registry: this.registry,
        embedded: this.embedded,
        settings: () => ({
          showInternalTopics: setting('tree.showInternalTopics'),
          lagThreshold: setting('tree.lagThreshold'),
        }),
        choices: this.choices,
        openRows: new OpenRows(context.workspaceState),
        isEmbeddedShown: () => this.#isEmbeddedShown(),
      }),
    );
    this.view = this.add(new ClustersView(this.model));
    this.drafts = new SavedDrafts(context.globalState);
    this.add(new SavedView(this.drafts));
    this.activityView = this.add(new ActivityView(this.activity));
    const attached = this.#attach();
    this.add(
      new Environment({
        collection: context.environmentVariableCollection,
        registry: this.registry,
        embedded: this.embedded,
        attached,
      }),
    );
    this.lag = this.add(this.#lagWatches());
    this.add(new LagStatus(this.lag));
    this.panels = this.add(this.#newPanels(attached));
    this.#followState();
    void attached.then(() => this.lag.resume());
  }

  #newPanels(attached: Promise<void>): Panels {
    return new Panels({
      extensionUri: this.context.extensionUri,
      extensionId: this.context.extension.id,
      log: this.log,
      registry: this.registry,
      attached,
      decoders: new DecoderChoices(this.context.globalState),
      offsetHistory: this.offsetHistory,
      changes: this.activity,
      changeThatKept: (historyId) => {
        const entry = this.activity.keeperOf(historyId);
        return entry && undoneOf(entry);
      },
      embedded: this.#startable(),
      removeGroupMembers: (groupId) => this.embedded.operations.removeGroupMembers(groupId),
      lag: this.lag,
      drafts: this.drafts,
      refreshTrees: () => this.model.refresh(),
    });
  }

  #startable(): Startable {
    const { embedded } = this;
    return {
      get state() {
        return embedded.state;
      },
      onDidChangeState: embedded.onDidChangeState,
      start: () => vscode.commands.executeCommand(commandId('startEmbedded')),
    };
  }

  #lagWatches(): LagWatches {
    return new LagWatches({
      registry: this.registry,
      memento: this.context.workspaceState,
      samplerOf: (subject) => this.#lagSampler(subject),
      settings: () => ({
        sampleSeconds: setting('lag.sampleSeconds'),
        alertRecords: setting('lag.alertRecords'),
        alertSeconds: setting('lag.alertSeconds'),
      }),
      tell: (raised) =>
        void this.#tellOfLag(raised).catch((error: unknown) => this.log.error(errorMessage(error))),
    });
  }

  async #tellOfLag(raised: LagRaised): Promise<void> {
    const { subject } = raised;
    const answer = await tellOfLag(raised);
    if (answer === 'show') this.panels.openLag(subject);
    if (answer !== 'stop') return;
    await this.lag.setWatch(subject, { ...this.lag.watchOf(subject), isWatched: false });
  }

  #lagSampler({ cluster, group }: LagSubject): LagSampler {
    const isEmbedded = cluster.id === embeddedProfileId;
    return new LagSampler({
      session: () => sessionOf(this.registry, cluster),
      group,
      ...(isEmbedded && {
        clockAheadMs: () => this.#clockAheadMs,
        served: (topics: readonly string[]) => this.embedded.operations.servedPositions(topics),
      }),
    });
  }

  get #clockAheadMs(): number {
    const { state } = this.embedded;
    return state.kind === 'running' ? (state.clockAheadMs ?? 0) : 0;
  }

  /** Finds an embedded cluster that another window, or this one before a reload, has left running. */
  async #attach(): Promise<void> {
    try {
      if (await this.embedded.attach()) this.log.info('attached to the running embedded cluster');
    } catch (error) {
      this.log.warn(`cannot attach to the embedded cluster: ${String(error)}`);
    }
  }

  #followState(): void {
    const show = (): void => {
      const { kind } = this.embedded.state;
      void vscode.commands.executeCommand('setContext', contextKeys.embedded, kind);
      void vscode.commands.executeCommand('setContext', contextKeys.empty, this.model.isEmpty);
      const isConnected = this.registry.profiles.some(({ id }) => id !== embeddedProfileId);
      void vscode.commands.executeCommand('setContext', contextKeys.connected, isConnected);
      if (kind === 'running') void this.context.globalState.update(embeddedUsedKey, true);
    };
    show();
    this.add(this.model.onDidChange(show));
    this.add(tickChanges(this.activity));
    this.add(
      this.choices.onDidChange(() => {
        const { isFiltered } = this.choices;
        void vscode.commands.executeCommand('setContext', contextKeys.filtered, isFiltered);
      }),
    );
    this.add(
      this.embedded.onDidNotice((notice) => void vscode.window.showInformationMessage(notice)),
    );
    this.add(
      onDidChangeSetting(['embedded.keepRunning'], () => {
        if (this.embedded.state.kind !== 'running') return;
        this.embedded
          .setKeepRunning(setting('embedded.keepRunning'))
          .catch((error: unknown) => this.log.warn(`keepRunning: ${String(error)}`));
      }),
    );
  }

  /** Until the embedded cluster is first used, and with no other, the welcome view has the space. */
  #isEmbeddedShown(): boolean {
    return (
      this.embedded.state.kind !== 'stopped' ||
      this.context.globalState.get(embeddedUsedKey, false) ||
      this.registry.profiles.some(({ id }) => id !== embeddedProfileId)
    );
  }
}

function dataDirectory(context: vscode.ExtensionContext): string {
  const chosen = setting('embedded.dataDirectory').trim();
  return chosen ? path.resolve(chosen) : path.join(context.globalStorageUri.fsPath, 'embedded');
}

function embeddedSettings(): EmbeddedSettings {
  return {
    host: '127.0.0.1',
    port: setting('embedded.port'),
    allowOtherPort: setting('embedded.allowOtherPort'),
    keepRunning: setting('embedded.keepRunning'),
    configs: {},
    emulate: setting('embedded.emulate'),
  };
}
