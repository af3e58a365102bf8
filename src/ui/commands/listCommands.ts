/** How the lists of topics and groups are shown: filter, order, favourites. */
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { NameFilter } from '../../cluster/nameFilter.ts';
import { toProblem } from '../../cluster/problems.ts';
import { grouped } from '../text.ts';
import type { TreeCell } from '../trees/node.ts';
import { folderNodeId } from '../trees/project.ts';
import { sortWords } from '../trees/sortWords.ts';
import { type ListKey, type ListKind, sortOrders } from '../trees/treeChoices.ts';
import type { Workbench } from '../workbench.ts';
import { choose } from './prompts.ts';
import { clusterTarget, type CommandCall, rowsOf } from './targets.ts';

/** Typing goes on for so long before a list is filtered. */
const typingPauseMs = 100;

export const filterTopics = (call: CommandCall): Promise<void> => filterList(call, 'topics');
export const filterGroups = (call: CommandCall): Promise<void> => filterList(call, 'groups');

/** Filters while the person types. Enter keeps the filter; Escape brings the one before back. */
async function filterList(call: CommandCall, kind: ListKind): Promise<void> {
  const { workbench } = call;
  const { profile } = await clusterTarget(call);
  const key = { clusterId: profile.id, kind };
  await workbench.view.reveal(folderNodeId(profile, kind), { expand: true });
  const names = await workbench.model.listNames(key);
  const before = workbench.choices.of(key).filter;
  const box = vscode.window.createInputBox();
  box.title =
    kind === 'topics'
      ? t('Filter the topics of {0}', profile.name)
      : t('Filter the consumer groups of {0}', profile.name);
  box.placeholder = t('Part of the name, or /regular expression/');
  box.value = before?.text ?? '';
  const filtering = new Filtering(workbench, key, { names, box });
  await filtering.untilDone(before);
}

interface FilterInput {
  readonly names: readonly string[];
  readonly box: vscode.InputBox;
}

/** A filter that is being typed. */
class Filtering {
  readonly #workbench: Workbench;
  readonly #key: ListKey;
  readonly #input: FilterInput;
  #pause: NodeJS.Timeout | undefined;
  /** What is read late of an earlier text counts for nothing. */
  #turn = 0;

  constructor(workbench: Workbench, key: ListKey, input: FilterInput) {
    this.#workbench = workbench;
    this.#key = key;
    this.#input = input;
  }

  async untilDone(before: NameFilter | undefined): Promise<void> {
    const { box } = this.#input;
    const end = Promise.withResolvers<boolean>();
    box.onDidChangeValue(() => {
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => void this.#apply(), typingPauseMs);
    });
    box.onDidAccept(async () => {
      clearTimeout(this.#pause);
      if (await this.#apply()) end.resolve(true);
    });
    box.onDidHide(() => end.resolve(false));
    box.show();
    const isKept = await end.promise;
    clearTimeout(this.#pause);
    this.#turn++;
    box.dispose();
    if (!isKept) this.#workbench.choices.setFilter(this.#key, before);
  }

  /** False where the text is no filter. */
  async #apply(): Promise<boolean> {
    const { box, names } = this.#input;
    const turn = ++this.#turn;
    try {
      // Regular expressions are a fifth of the extension's code, which starts without them.
      const { readNameFilter } = await import('../../cluster/nameFilter.ts');
      const filter = readNameFilter(box.value);
      await filter?.prepare(names);
      if (turn !== this.#turn) return false;
      this.#workbench.choices.setFilter(this.#key, filter);
      const count = filter ? names.filter((name) => filter.matches(name)).length : names.length;
      box.validationMessage = '';
      box.prompt = t('{0} of {1} match', grouped(count), grouped(names.length));
      return true;
    } catch (error) {
      const { message, hint } = toProblem(error);
      if (turn === this.#turn) box.validationMessage = [message, hint ?? ''].join('. ');
      return false;
    }
  }
}

export function clearFilter({ workbench, cell }: CommandCall): Promise<void> {
  const key = cell && keyOfFolder(cell);
  if (key) workbench.choices.setFilter(key, undefined);
  return Promise.resolve();
}

export function clearFilters({ workbench }: CommandCall): Promise<void> {
  workbench.choices.clearFilters();
  return Promise.resolve();
}

export const sortTopics = (call: CommandCall): Promise<void> => sortList(call, 'topics');
export const sortGroups = (call: CommandCall): Promise<void> => sortList(call, 'groups');

async function sortList(call: CommandCall, kind: ListKind): Promise<void> {
  const { choices } = call.workbench;
  const { profile } = await clusterTarget(call);
  const key = { clusterId: profile.id, kind };
  const { sort } = choices.of(key);
  const order = await choose(
    { title: call.title, placeholder: t('In which order? The largest comes first.') },
    sortOrders[kind].map((value) => ({
      label: sortWords[value](),
      ...(value === sort && { description: t('as now') }),
      value,
    })),
  );
  await choices.setSort(key, order);
}

export const showInternalTopics = (): Promise<void> => setShowInternal(true);
export const hideInternalTopics = (): Promise<void> => setShowInternal(false);

async function setShowInternal(isShown: boolean): Promise<void> {
  await vscode.workspace
    .getConfiguration('kafkaWorkbench')
    .update('tree.showInternalTopics', isShown, vscode.ConfigurationTarget.Global);
}

export const pin = (call: CommandCall): Promise<void> => setPinned(call, true);
export const unpin = (call: CommandCall): Promise<void> => setPinned(call, false);

async function setPinned(call: CommandCall, isPinned: boolean): Promise<void> {
  const { choices } = call.workbench;
  const lists = new Map<string, { readonly key: ListKey; readonly names: string[] }>();
  for (const { node } of rowsOf(call)) {
    const kind = node.kind === 'topic' ? 'topics' : node.kind === 'group' ? 'groups' : undefined;
    if (!kind) continue;
    const name =
      node.kind === 'topic' ? node.topic.name : node.kind === 'group' ? node.group.groupId : '';
    const key = { clusterId: node.cluster.id, kind } as const;
    const id = folderNodeId(node.cluster, kind);
    const list = lists.get(id) ?? { key, names: [] };
    list.names.push(name);
    lists.set(id, list);
  }
  for (const { key, names } of lists.values()) await choices.setPinned(key, names, isPinned);
}

export async function showMore({ workbench, cell }: CommandCall): Promise<void> {
  if (cell?.node.kind === 'more') await workbench.model.showMore(cell);
}

function keyOfFolder({ node }: TreeCell): ListKey | undefined {
  if (node.kind !== 'topics' && node.kind !== 'groups') return undefined;
  return { clusterId: node.cluster.id, kind: node.kind };
}
