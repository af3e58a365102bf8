import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { toProblem } from '../../cluster/problems.ts';
import { commandId, type CommandName, commandNames } from '../contributions.ts';
import type { TreeCell } from '../trees/node.ts';
import { clusterNodeId } from '../trees/project.ts';
import type { Drop } from '../trees/topicDrops.ts';
import type { Workbench } from '../workbench.ts';
import { commandTable } from './commandTable.ts';
import { openDropped } from './dropCommands.ts';
import { isCancellation } from './prompts.ts';
import { unreachableConnection } from './unreachableConnection.ts';

export function registerCommands(workbench: Workbench): vscode.Disposable[] {
  const commands = commandNames.map((name) =>
    vscode.commands.registerCommand(commandId(name), (cell?: unknown, cells?: unknown) =>
      runCommand(workbench, name, { cell, cells }),
    ),
  );
  workbench.add(workbench.view.onDidDrop((drop) => void produceDropped(workbench, drop)));
  return commands;
}

async function produceDropped(workbench: Workbench, drop: Drop): Promise<void> {
  try {
    await openDropped(workbench, drop);
  } catch (error) {
    await showProblem(workbench, { what: t('Produce what was dropped') }, error);
  }
}

/** What the editor passes to a command: rows from the tree, or whatever another extension sends. */
interface RawArguments {
  readonly cell: unknown;
  readonly cells: unknown;
}

/** The one place where a command's failure becomes words for the person. Never rejects. */
async function runCommand(
  workbench: Workbench,
  name: CommandName,
  raw: RawArguments,
): Promise<void> {
  const { cell: rawCell, cells: rawCells } = raw;
  const command = commandTable[name];
  const title = command.title();
  const cell = isCell(workbench, rawCell) ? rawCell : undefined;
  const selected = Array.isArray(rawCells)
    ? rawCells.filter((each): each is TreeCell => isCell(workbench, each))
    : [];
  const cells = cell && selected.includes(cell) ? selected : cell ? [cell] : [];
  try {
    const saved = savedNames(workbench, raw);
    const activity = activityIds(workbench, raw);
    const isOnSelection = saysSelection(rawCell);
    await command.run({ workbench, cell, cells, saved, activity, isOnSelection, title });
  } catch (error) {
    if (isCancellation(error)) return;
    await showProblem(workbench, { what: title, cluster: cell?.node.cluster }, error);
  }
}

/** Of the saved records that were called from, those that there are. */
function savedNames(workbench: Workbench, rows: RawArguments): string[] {
  const names = new Set(workbench.drafts.all.map(({ name }) => name));
  return namedBy(rows, 'savedName').filter((name) => names.has(name));
}

/** Of the changes whose rows were called from, those that there are. */
function activityIds(workbench: Workbench, rows: RawArguments): string[] {
  return namedBy(rows, 'activityId').filter((id) => workbench.activity.entry(id));
}

/** The arguments of a key in package.json. */
function saysSelection(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'on' in value && value.on === 'selection';
}

/** What rows say in a field of theirs. */
function namedBy({ cell, cells }: RawArguments, field: string): string[] {
  const called: unknown[] = Array.isArray(cells) ? cells : [cell];
  return called.flatMap((each) => {
    if (typeof each !== 'object' || each === null) return [];
    const name = (each as Readonly<Record<string, unknown>>)[field];
    return typeof name === 'string' ? [name] : [];
  });
}

/** Only rows that the tree shows now count; a row that has gone is no argument. */
function isCell(workbench: Workbench, value: unknown): value is TreeCell {
  if (typeof value !== 'object' || value === null || !('id' in value)) return false;
  return typeof value.id === 'string' && workbench.model.cell(value.id) === value;
}

interface Failed {
  readonly what: string;
  /** Of the row that it was called from. */
  readonly cluster?: ClusterProfile | undefined;
}

/** Says what failed and what to do, with the log at hand, and the connection where that may be what is wrong. */
async function showProblem(
  workbench: Workbench,
  { what, cluster }: Failed,
  error: unknown,
): Promise<void> {
  const problem = toProblem(error);
  workbench.log.error(
    `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  const [showLog, edit] = [t('Show log'), t('Edit connection')];
  const text = [`${what}: ${problem.message}`, ...(problem.hint ? [problem.hint] : [])].join('. ');
  const unreachable = unreachableConnection(error, workbench.registry.profiles, cluster);
  const buttons = unreachable ? [edit, showLog] : [showLog];
  const answer = await vscode.window.showErrorMessage(text, ...buttons);
  if (answer === showLog) workbench.log.show();
  if (answer === edit && unreachable) {
    const cell = workbench.model.cell(clusterNodeId(unreachable));
    await runCommand(workbench, 'editConnection', { cell, cells: undefined });
  }
}
