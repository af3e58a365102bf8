import { isDeepStrictEqual } from 'node:util';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { deferred } from '../../base/deferred.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embeddedCluster.ts';
import type { ClusterProfile, ConnectionState } from '../../cluster/model.ts';
import { CellTree } from './cellTree.ts';
import type { ClusterData, ClusterReader } from './clusterData.ts';
import { describe } from './describe.ts';
import { FollowedClusters } from './followedClusters.ts';
import type { Node, TreeCell } from './node.ts';
import type { OpenRows } from './openRows.ts';
import { clusterNodeId, folderNodeId, project, slicesFor, troubleCounts } from './project.ts';
import type { Tooltip } from './rowText.ts';
import type { Readable } from './slice.ts';
import { partitionTooltip } from './topicRows.ts';
import type { ListKey, TreeChoices } from './treeChoices.ts';

export interface TreeSettings {
  readonly showInternalTopics: boolean;
  /** Lag from which a group counts as lagging; 0: never. */
  readonly lagThreshold: number;
}

export interface ClustersModelOptions {
  readonly registry: Pick<ClusterRegistry, 'profiles' | 'onDidChange'> & {
    session(id: string): ClusterReader | undefined;
  };
  readonly embedded: Pick<EmbeddedCluster, 'state' | 'onDidChangeState'>;
  readonly settings: () => TreeSettings;
  readonly choices: TreeChoices;
  readonly openRows: OpenRows;
  /** Whether the embedded cluster has a row; without one, an empty view offers to start it. */
  readonly isEmbeddedShown: () => boolean;
  readonly clock?: Clock;
}

/** What is beside the names of rows may come so much later. After that, rows are shown without, and then again. */
const patienceMs = { onOpening: 150, onRefresh: 300 } as const;

/**
 * What the Clusters view shows: which rows there are, which are open, and what has been read for them.
 * Reads happen when a row is opened and when an open row is refreshed, never otherwise.
 */
export class ClustersModel implements Disposable {
  readonly #options: ClustersModelOptions;
  readonly #disposables = new DisposableStore();
  readonly #changeEmitter = this.#disposables.add(new Emitter<TreeCell[] | undefined>());
  /** Rows to draw again with what is below them; undefined: all. */
  readonly onDidChange: Event<TreeCell[] | undefined> = this.#changeEmitter.event;
  readonly #cells: CellTree;
  readonly #followed: FollowedClusters;
  readonly #clock: Clock;

  constructor(options: ClustersModelOptions) {
    this.#options = options;
    this.#cells = new CellTree(options.openRows);
    this.#clock = options.clock ?? systemClock;
    this.#followed = this.#disposables.add(
      new FollowedClusters({
        ...options,
        limit: (id) => this.#cells.limit(id),
        onDidChangeState: () => this.redraw(),
      }),
    );
    this.#disposables.add(options.choices.onDidChange((key) => void this.#showList(key)));
    this.#disposables.add(options.registry.onDidChange(() => this.redraw()));
    this.#disposables.add(options.embedded.onDidChangeState(() => this.redraw()));
  }

  /** The rows below a cell, read now if they have not been; undefined: the clusters. */
  async children(cell: TreeCell | undefined): Promise<readonly TreeCell[]> {
    if (!cell) return this.#roots();
    this.#cells.setOpen(cell, true);
    const { node } = cell;
    const followed = this.#followed.of(node.cluster);
    if (!followed) return [];
    if (node.kind === 'cluster' && !(await connected(followed.session))) return [];
    const [needed, ...others] = slicesFor(node, followed.data);
    await needed?.load();
    await this.#whenRead(
      cell,
      others.map((slice) => slice.load()),
    );
    if (this.#followed.of(node.cluster) !== followed || this.#cells.get(cell.id) !== cell)
      return [];
    const changed = new Set<TreeCell>();
    this.#updateOwnRow(cell, changed);
    if (changed.size) this.#changeEmitter.fire([...changed]);
    return this.#cells.adopt(cell, this.#project(cell.node, followed.data));
  }

  /** The names that a list's filter chooses among, read now if they have not been. */
  async listNames({ clusterId, kind }: ListKey): Promise<readonly string[]> {
    const profile = this.#options.registry.profiles.find(({ id }) => id === clusterId);
    const data = profile && this.#followed.of(profile)?.data;
    if (!data) return [];
    await data[kind].load();
    return kind === 'topics'
      ? (data.shownTopics ?? []).map(({ name }) => name)
      : (data.groups.value ?? []).map(({ groupId }) => groupId);
  }

  /** How many things are in trouble, in what has been read. */
  get troubleCount(): number {
    const { lagThreshold } = this.#options.settings();
    const counts = this.#followed.all.map(({ data }) => troubleCounts(data, lagThreshold));
    return counts.reduce((sum, { topics, groups }) => sum + topics + groups, 0);
  }

  get isEmpty(): boolean {
    return this.#shownProfiles().length === 0;
  }

  /** The cell with an id, if it has been shown. */
  cell(id: string): TreeCell | undefined {
    return this.#cells.get(id);
  }

  /** The long form of a row, with what is read only for who looks at it. */
  async tooltip({ node }: TreeCell, signal: AbortSignal): Promise<Tooltip | undefined> {
    const data = node.kind === 'partition' && this.#followed.connectedData(node.cluster);
    if (!data) return describe(node).tooltip?.();
    const replicas = await data.session.replicas(node.row, signal).catch(() => undefined);
    return partitionTooltip(node.row, replicas);
  }

  /** Shows more of the rows among which a `more` row stands. */
  async showMore({ parent }: TreeCell): Promise<void> {
    if (!parent) return;
    this.#cells.showMore(parent.id);
    await this.#readAndShow([parent]);
  }

  /** Whether a row is open, or was when it was last there. */
  isOpen(cell: TreeCell): boolean {
    return this.#cells.isOpen(cell);
  }

  /** Told when the view opens or closes a row. */
  setOpen(cell: TreeCell, isOpen: boolean): void {
    this.#cells.setOpen(cell, isOpen);
  }

  /** Reads again what the open rows (below `under`) show. Resolves to false where a read failed. */
  async refresh(under?: TreeCell): Promise<boolean> {
    const open = under ? this.#cells.openBelow(under) : this.#openCells();
    const slices = new Set<Readable>(
      open.flatMap((cell) => {
        const data = this.#followed.connectedData(cell.node.cluster);
        return data ? slicesFor(cell.node, data) : [];
      }),
    );
    const reads = Promise.all([...slices].map((slice) => slice.reload()));
    // A broker that does not answer keeps no one from what the others have said.
    let shown = [...slices].map(({ content }) => content);
    while (!(await this.#isDoneWithin(patienceMs.onRefresh, reads))) {
      const known = [...slices].map(({ content }) => content);
      if (known.some((content, i) => content !== shown[i])) this.#update(open);
      shown = known;
    }
    this.#update(open);
    return [...slices].every(({ content }) => content.problem === undefined);
  }

  /** Reads what the rows below cells need and is not known yet, and shows them again. */
  async #readAndShow(cells: readonly TreeCell[]): Promise<void> {
    this.#update(cells);
    const slices = cells.flatMap((cell) => {
      const data = this.#followed.connectedData(cell.node.cluster);
      return data && this.#cells.isOpen(cell) ? slicesFor(cell.node, data) : [];
    });
    await Promise.all(slices.map((slice) => slice.load()));
    this.#update(cells);
  }

  /** Shows a list whose filter, order or favourites are others now. */
  async #showList({ clusterId, kind }: ListKey): Promise<void> {
    const profile = this.#options.registry.profiles.find(({ id }) => id === clusterId);
    if (!profile) return;
    this.#cells.showFirst(folderNodeId(profile, kind));
    const ids = [clusterNodeId(profile), folderNodeId(profile, kind)];
    await this.#readAndShow(ids.flatMap((id) => this.#cells.get(id) ?? []));
  }

  /** Resolves when all has been read, or after a while, and then shows what comes later when it does. */
  async #whenRead(cell: TreeCell, reads: readonly Promise<void>[]): Promise<void> {
    const all = Promise.all(reads);
    if (reads.length === 0 || (await this.#isDoneWithin(patienceMs.onOpening, all))) return;
    void all.then(() => this.#update([cell]));
  }

  async #isDoneWithin(withinMs: number, work: Promise<unknown>): Promise<boolean> {
    const late = deferred<boolean>();
    const timer = this.#clock.setTimer(withinMs, () => late.resolve(false));
    const isDone = await Promise.race([work.then(() => true), late.promise]);
    timer.dispose();
    return isDone;
  }

  /** Draws again from what is known: a state or a setting changed. */
  redraw(): void {
    this.#changeEmitter.fire(undefined);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #roots(): readonly TreeCell[] {
    const profiles = this.#shownProfiles();
    this.#followed.keepOnly(profiles);
    return profiles.map((profile) => this.#cells.cellFor(this.#clusterNode(profile), undefined));
  }

  #shownProfiles(): readonly ClusterProfile[] {
    const { registry, isEmbeddedShown } = this.#options;
    return isEmbeddedShown()
      ? registry.profiles
      : registry.profiles.filter(({ kind }) => kind !== 'embedded');
  }

  #clusterNode(cluster: ClusterProfile): Node {
    const followed = this.#followed.of(cluster);
    const connection: ConnectionState = followed?.session.state ?? { kind: 'stopped' };
    return {
      kind: 'cluster',
      id: clusterNodeId(cluster),
      cluster,
      connection,
      embedded: cluster.kind === 'embedded' ? this.#options.embedded.state : undefined,
      brokerCount: followed?.data.brokers.value?.length,
    };
  }

  #project(node: Node, data: ClusterData): Node[] {
    const { lagThreshold } = this.#options.settings();
    return project(node, data, { lagThreshold, limit: (id) => this.#cells.limit(id) });
  }

  /** Open cells whose every ancestor is open too: those whose children can be seen. */
  #openCells(): TreeCell[] {
    return this.#options.registry.profiles.flatMap((profile) => {
      const cell = this.#cells.get(clusterNodeId(profile));
      return cell ? this.#cells.openBelow(cell) : [];
    });
  }

  /** Takes over what was read and tells the view of the rows that differ. Parents come first in `open`. */
  #update(open: readonly TreeCell[]): void {
    const changed = new Set<TreeCell>();
    for (const cell of open) {
      const data = this.#followed.connectedData(cell.node.cluster);
      if (!data || this.#cells.get(cell.id) !== cell) continue;
      this.#updateOwnRow(cell, changed);
      const before = (cell.children ?? []).map(({ node }) => node);
      const nodes = this.#project(cell.node, data);
      const sameRows =
        before.length === nodes.length && nodes.every((node, i) => node.id === before[i]?.id);
      const children = this.#cells.adopt(cell, nodes);
      if (!sameRows) changed.add(cell);
      else {
        children.forEach((below, i) => {
          if (!isDeepStrictEqual(before[i], below.node)) changed.add(below);
        });
      }
    }
    if (changed.size) this.#changeEmitter.fire([...changed]);
  }

  #updateOwnRow(cell: TreeCell, changed: Set<TreeCell>): void {
    if (cell.node.kind !== 'cluster') return;
    const node = this.#clusterNode(cell.node.cluster);
    if (isDeepStrictEqual(node, cell.node)) return;
    cell.node = node;
    changed.add(cell);
  }
}

/** Connects; a failure is in the session's state, which the cluster's row shows. */
async function connected(session: ClusterReader): Promise<boolean> {
  await session.connect().catch(() => undefined);
  return session.state.kind === 'connected';
}
