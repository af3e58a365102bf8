import * as vscode from 'vscode';
import { type CommandName, walkthroughId } from '../contributions.ts';
import { advanceClock, runMaintenance } from './clockCommands.ts';
import {
  connectCluster,
  disconnect,
  duplicateConnection,
  editConnection,
  importConnection,
  reconnect,
  removeConnection,
  testConnection,
} from './connectionCommands.ts';
import {
  copyBootstrap,
  copyClientSettings,
  embeddedActions,
  loadSampleData,
  restartEmbedded,
  startEmbedded,
  stopEmbedded,
} from './embeddedCommands.ts';
import { chooseEnvironment } from './environmentCommands.ts';
import { deleteGroup, resetOffsets, tailFromCommitted } from './groupCommands.ts';
import { lag, watchedLag } from './lagCommands.ts';
import { copyName, copyValue, deleteSelected, openSelected, refresh } from './rowCommands.ts';
import type { CommandCall } from './targets.ts';
import { addPartitions, createTopic, deleteTopic, produce, tail } from './topicCommands.ts';

export interface Command {
  /** What it is, in the words of package.json: the title of its questions. */
  readonly title: string;
  /** Ends early with a CancelledError where the person cancels; other errors are put into words by the caller. */
  readonly run: (call: CommandCall) => Promise<void>;
}

/** One handler a command; a command of the contributions without one does not compile. */
export const commandTable: Readonly<Record<CommandName, Command>> = {
  startEmbedded: { title: 'Start the embedded cluster', run: startEmbedded },
  stopEmbedded: { title: 'Stop the embedded cluster', run: stopEmbedded },
  restartEmbedded: { title: 'Restart the embedded cluster', run: restartEmbedded },
  embeddedActions: { title: 'Embedded cluster actions', run: embeddedActions },
  loadSampleData: { title: 'Load sample data', run: loadSampleData },
  advanceClock: { title: "Advance the embedded cluster's clock", run: advanceClock },
  runMaintenance: { title: "Run the embedded cluster's maintenance now", run: runMaintenance },
  copyBootstrap: { title: 'Copy bootstrap address', run: copyBootstrap },
  copyClientSettings: { title: 'Copy client settings', run: copyClientSettings },
  chooseEnvironment: {
    title: 'Choose the cluster of terminals and debug sessions',
    run: chooseEnvironment,
  },
  connectCluster: { title: 'Connect to a cluster', run: connectCluster },
  importConnection: { title: 'Import a connection', run: importConnection },
  testConnection: { title: 'Test connection', run: testConnection },
  duplicateConnection: { title: 'Duplicate connection', run: duplicateConnection },
  editConnection: { title: 'Edit connection', run: editConnection },
  removeConnection: { title: 'Remove connection', run: removeConnection },
  reconnect: { title: 'Reconnect', run: reconnect },
  disconnect: { title: 'Disconnect', run: disconnect },
  refresh: { title: 'Refresh', run: refresh },
  createTopic: { title: 'Create topic', run: createTopic },
  deleteTopic: { title: 'Delete topic', run: deleteTopic },
  addPartitions: { title: 'Add partitions', run: addPartitions },
  tail: { title: 'Tail records', run: tail },
  tailFromCommitted: { title: 'Tail from the committed offset', run: tailFromCommitted },
  produce: { title: 'Produce a record', run: produce },
  lag: { title: 'Show lag', run: lag },
  watchedLag: { title: 'Show watched groups', run: watchedLag },
  resetOffsets: { title: 'Reset offsets', run: resetOffsets },
  deleteGroup: { title: 'Delete consumer group', run: deleteGroup },
  copyName: { title: 'Copy name', run: copyName },
  copyValue: { title: 'Copy value', run: copyValue },
  openSelected: { title: 'Open the selected row', run: openSelected },
  deleteSelected: { title: 'Delete the selected rows', run: deleteSelected },
  openWalkthrough: {
    title: 'Show first steps',
    run: async ({ workbench }) => {
      const id = `${workbench.context.extension.id}#${walkthroughId}`;
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', id);
    },
  },
  showLog: {
    title: 'Show log',
    run: ({ workbench }) => {
      workbench.log.show();
      return Promise.resolve();
    },
  },
  openSettings: {
    title: 'Open settings',
    run: async () => {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'kafkaWorkbench');
    },
  },
};
