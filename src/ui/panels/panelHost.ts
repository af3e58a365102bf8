import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { spoken } from '../../base/l10n.ts';
import { errorMessage } from '../../base/logger.ts';
import type { ChangeLog, UndoneChange } from '../../cluster/activity/changeLog.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import type { OffsetHistory } from '../../cluster/offsets/offsetHistory.ts';
import type { Transport } from '../../shared/channel.ts';
import type { SavedDrafts } from '../savedDrafts.ts';
import { contextKeys, type PanelName, panelViewType } from '../contributions.ts';
import type { DecoderChoices } from './decoderChoices.ts';
import type { LagWatches } from './lagWatches.ts';
import type { OpenPanel } from './openPanel.ts';
import { panelHtml } from './panelHtml.ts';
import { Standby, type Startable } from './standby.ts';

/** What panels need of the window they are in. */
export interface PanelContext {
  readonly extensionUri: vscode.Uri;
  /** Publisher and name: where links to this extension lead. */
  readonly extensionId: string;
  readonly log: vscode.LogOutputChannel;
  readonly registry: ClusterRegistry;
  /** Resolves once an embedded cluster that was left running is found again, or there is none. */
  readonly attached: Promise<void>;
  /** Told of what is written to files; sessions tell of what is changed on clusters. */
  readonly changes: ChangeLog;
  /** The change that kept commits under an id of the history, if it is listed. */
  readonly changeThatKept: (historyId: string) => UndoneChange | undefined;
  /** How the payloads of each topic are read. */
  readonly decoders: DecoderChoices;
  /** Where groups were before each reset. */
  readonly offsetHistory: OffsetHistory;
  /** Only the embedded cluster can; rejects, in words, where it does not run. */
  removeGroupMembers(groupId: string): Promise<unknown>;
  /** What panels of the embedded cluster wait for. */
  readonly embedded: Startable;
  /** The groups whose lag is sampled. */
  readonly lag: LagWatches;
  /** Records kept for use again. */
  readonly drafts: SavedDrafts;
  /** Reads open rows again, after something was changed. */
  refreshTrees(): Promise<unknown>;
}

/** What every panel looks at has a cluster. */
export interface PanelSubject {
  readonly cluster: ClusterProfile;
}

/** What a panel is made of: the page's name, what it looks at, and what serves it. */
export interface PanelKind<Subject extends PanelSubject> {
  readonly name: PanelName;
  /** What the page keeps over a reload; checked before a panel is restored from it. */
  readonly state: v.GenericSchema;
  /** The subject to restore from a kept state; undefined where it is gone, such as a removed cluster. */
  readonly restore: (state: unknown) => Subject | undefined;
  readonly title: (subject: Subject) => string;
  /** Panels with the same key are one panel. Holds the cluster's id: names repeat between clusters. */
  readonly key: (subject: Subject) => string;
  /** A panel that is open is shown as it is, since nothing else was asked for. Left out: never. */
  readonly staysAsItIs?: (subject: Subject) => boolean;
  /** Loads what serves the page: only when a panel opens, since it is most of the extension's code. */
  readonly load: () => Promise<(panel: OpenPanel, subject: Subject) => PanelServer<Subject>>;
}

/** Answers a page until it is disposed, which cancels whatever it has under way. */
export interface PanelServer<Subject> extends Disposable {
  /** The key of what the panel looks at now. */
  readonly key: string;
  /** What it shows has failed, and does not go on by itself. Left out: that cannot be. */
  readonly isOver?: boolean;
  /** The panel was asked for again, with what to look at now. */
  reopen(subject: Subject): void;
}

const openedKeys: Readonly<Record<PanelName, string>> = {
  tail: contextKeys.openedTail,
  produce: contextKeys.openedProduce,
  offsets: contextKeys.openedOffsets,
  lag: contextKeys.openedLag,
};

interface Open<Subject extends PanelSubject> {
  readonly panel: vscode.WebviewPanel;
  /** What it was last opened for; the server, once there is one, knows better. */
  subject: Subject;
  server?: PanelServer<Subject>;
}

/** Opens, finds again and restores the panels of one kind. */
export class PanelHost<Subject extends PanelSubject> extends DisposableStore {
  readonly #kind: PanelKind<Subject>;
  readonly #extensionUri: vscode.Uri;
  readonly #log: vscode.LogOutputChannel;
  readonly #embedded: Startable;
  readonly #open = new Set<Open<Subject>>();

  constructor(
    kind: PanelKind<Subject>,
    context: Pick<PanelContext, 'extensionUri' | 'log' | 'attached' | 'embedded'>,
  ) {
    super();
    this.#kind = kind;
    this.#extensionUri = context.extensionUri;
    this.#log = context.log;
    this.#embedded = context.embedded;
    this.add(
      vscode.window.registerWebviewPanelSerializer(panelViewType(kind.name), {
        deserializeWebviewPanel: async (panel, state) => {
          await context.attached;
          this.#restore(panel, state);
        },
      }),
    );
  }

  /** Shows the subject's panel, the one that is open or a new one. */
  open(subject: Subject): void {
    const key = this.#kind.key(subject);
    for (const open of this.#open) {
      if ((open.server?.key ?? this.#kind.key(open.subject)) !== key) continue;
      open.panel.reveal();
      if (this.#kind.staysAsItIs?.(subject) && !open.server?.isOver) return;
      open.subject = subject;
      open.server?.reopen(subject);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      panelViewType(this.#kind.name),
      this.#kind.title(subject),
      vscode.ViewColumn.Active,
      this.#webviewOptions(),
    );
    this.#serve(panel, subject);
  }

  override dispose(): void {
    for (const { panel } of [...this.#open]) panel.dispose();
    super.dispose();
  }

  #webviewOptions(): vscode.WebviewOptions {
    return {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview')],
    };
  }

  #restore(panel: vscode.WebviewPanel, state: unknown): void {
    const parsed = v.safeParse(this.#kind.state, state);
    const subject = parsed.success ? this.#kind.restore(parsed.output) : undefined;
    if (subject === undefined) {
      this.#log.info(`a ${this.#kind.name} panel was not restored: what it showed is gone`);
      panel.dispose();
      return;
    }
    panel.webview.options = this.#webviewOptions();
    this.#serve(panel, subject);
  }

  #serve(panel: vscode.WebviewPanel, subject: Subject): void {
    void vscode.commands.executeCommand('setContext', openedKeys[this.#kind.name], true);
    panel.title = this.#kind.title(subject);
    panel.iconPath = { light: this.#icon('light'), dark: this.#icon('dark') };
    const open: Open<Subject> = { panel, subject };
    this.#open.add(open);
    panel.onDidDispose(() => {
      this.#open.delete(open);
      open.server?.dispose();
    });
    this.#load(open).catch((error: unknown) => {
      this.#log.error(`the ${this.#kind.name} panel could not be opened: ${errorMessage(error)}`);
      panel.dispose();
    });
  }

  /** The page comes last: it speaks as soon as it is there, and someone has to listen. */
  async #load(open: Open<Subject>): Promise<void> {
    if (open.subject.cluster.kind === 'embedded') await this.#untilRunning(open);
    const serve = await this.#kind.load();
    if (!this.#open.has(open)) return;
    const { panel } = open;
    open.server = serve(this.#openPanel(panel), open.subject);
    panel.webview.html = this.#html(panel, this.#kind.name);
  }

  /** A panel may be restored before its cluster is started. */
  async #untilRunning({ panel }: Open<Subject>): Promise<void> {
    if (this.#embedded.state.kind === 'running') return;
    const { title } = panel;
    const standby = new Standby(this.#openPanel(panel), { title, embedded: this.#embedded });
    panel.webview.html = this.#html(panel, 'standby');
    const closed = new Promise<void>((resolve) => panel.onDidDispose(() => resolve()));
    await Promise.race([standby.running, closed]);
    standby.dispose();
  }

  #openPanel(panel: vscode.WebviewPanel): OpenPanel {
    return {
      transport: webviewTransport(panel.webview),
      onInvalid: (problem) => this.#log.warn(`${this.#kind.name} panel: ${problem}`),
      setTitle: (title) => (panel.title = title),
      get isVisible() {
        return panel.visible;
      },
      onDidChangeVisible: (listener) => panel.onDidChangeViewState(() => listener(panel.visible)),
    };
  }

  #icon(theme: 'light' | 'dark'): vscode.Uri {
    return vscode.Uri.joinPath(this.#extensionUri, 'media', `${this.#kind.name}-${theme}.svg`);
  }

  #html({ webview, title }: vscode.WebviewPanel, page: PanelName | 'standby'): string {
    const resource = (file: string): string =>
      webview
        .asWebviewUri(vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview', file))
        .toString();
    return panelHtml({
      language: spoken(),
      title,
      cspSource: webview.cspSource,
      nonce: randomBytes(24).toString('base64url'),
      scriptUri: resource(`${page}.js`),
      styleUri: resource(`${page}.css`),
    });
  }
}

function webviewTransport(webview: vscode.Webview): Transport {
  return {
    // What postMessage resolves to says nothing about the page; a page that is gone drops the message.
    send: (message) => void webview.postMessage(message),
    listen: (receive) => {
      const subscription = webview.onDidReceiveMessage(receive);
      return () => void subscription.dispose();
    },
  };
}
