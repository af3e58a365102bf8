import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { type CommandName, walkthroughId } from '../contributions.ts';
import {
  cancelActivity,
  clearActivity,
  clearActivityFilter,
  copyActivity,
  filterActivity,
  openActivity,
  redoActivity,
  removeActivity,
  retryActivity,
  showActivity,
  undoActivity,
} from './activityCommands.ts';
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
import { copy } from './copyCommands.ts';
import { deleteGroup, resetOffsets, tailFromCommitted } from './groupCommands.ts';
import {
  clearFilter,
  clearFilters,
  filterGroups,
  filterTopics,
  hideInternalTopics,
  pin,
  showInternalTopics,
  showMore,
  sortGroups,
  sortTopics,
  unpin,
} from './listCommands.ts';
import { lag, watchedLag } from './lagCommands.ts';
import { deleteSelected, openSelected, refresh } from './rowCommands.ts';
import { deleteSaved, produceSaved, renameSaved } from './savedCommands.ts';
import type { CommandCall } from './targets.ts';
import { showTopicConfigs } from './topicConfigCommands.ts';
import { addPartitions, createTopic, deleteTopic, produce, tail } from './topicCommands.ts';

export interface Command {
  /** What it is, in the words of package.json: the title of its questions. */
  readonly title: () => string;
  /** Ends early with a CancelledError where the person cancels; other errors are put into words by the caller. */
  readonly run: (call: CommandCall) => Promise<void>;
}

/** One handler a command; a command of the contributions without one does not compile. */
export const commandTable: Readonly<Record<CommandName, Command>> = {
  startEmbedded: { title: () => t('Start the embedded cluster'), run: startEmbedded },
  stopEmbedded: { title: () => t('Stop the embedded cluster'), run: stopEmbedded },
  restartEmbedded: { title: () => t('Restart the embedded cluster'), run: restartEmbedded },
  embeddedActions: { title: () => t('Embedded cluster actions'), run: embeddedActions },
  loadSampleData: { title: () => t('Load sample data'), run: loadSampleData },
  advanceClock: { title: () => t("Advance the embedded cluster's clock"), run: advanceClock },
  runMaintenance: {
    title: () => t("Run the embedded cluster's maintenance now"),
    run: runMaintenance,
  },
  copyBootstrap: { title: () => t('Copy bootstrap address'), run: copyBootstrap },
  copyClientSettings: { title: () => t('Copy client settings'), run: copyClientSettings },
  chooseEnvironment: {
    title: () => t('Choose the cluster of terminals and debug sessions'),
    run: chooseEnvironment,
  },
  connectCluster: { title: () => t('Connect to a cluster'), run: connectCluster },
  importConnection: { title: () => t('Import a connection'), run: importConnection },
  testConnection: { title: () => t('Test connection'), run: testConnection },
  duplicateConnection: { title: () => t('Duplicate connection'), run: duplicateConnection },
  editConnection: { title: () => t('Edit connection'), run: editConnection },
  removeConnection: { title: () => t('Remove connection'), run: removeConnection },
  reconnect: { title: () => t('Reconnect'), run: reconnect },
  disconnect: { title: () => t('Disconnect'), run: disconnect },
  refresh: { title: () => t('Refresh'), run: refresh },
  filterTopics: { title: () => t('Filter topics'), run: filterTopics },
  filterGroups: { title: () => t('Filter consumer groups'), run: filterGroups },
  clearFilter: { title: () => t('Clear the filter'), run: clearFilter },
  clearFilters: { title: () => t('Clear all filters'), run: clearFilters },
  sortTopics: { title: () => t('Sort topics'), run: sortTopics },
  sortGroups: { title: () => t('Sort consumer groups'), run: sortGroups },
  showInternalTopics: { title: () => t('Show internal topics'), run: showInternalTopics },
  hideInternalTopics: { title: () => t('Hide internal topics'), run: hideInternalTopics },
  pin: { title: () => t('Pin to the top'), run: pin },
  unpin: { title: () => t('Unpin'), run: unpin },
  showMore: { title: () => t('Show more rows'), run: showMore },
  createTopic: { title: () => t('Create topic'), run: createTopic },
  deleteTopic: { title: () => t('Delete topic'), run: deleteTopic },
  topicConfigs: { title: () => t('Topic configs'), run: showTopicConfigs },
  addPartitions: { title: () => t('Add partitions'), run: addPartitions },
  tail: { title: () => t('Tail records'), run: tail },
  tailFromCommitted: { title: () => t('Tail from the committed offset'), run: tailFromCommitted },
  produce: { title: () => t('Produce a record'), run: produce },
  lag: { title: () => t('Show lag'), run: lag },
  watchedLag: { title: () => t('Show watched groups'), run: watchedLag },
  produceSaved: { title: () => t('Produce a saved record'), run: produceSaved },
  renameSaved: { title: () => t('Rename the saved record'), run: renameSaved },
  deleteSaved: { title: () => t('Delete the saved records'), run: deleteSaved },
  showActivity: { title: () => t('Show activity'), run: showActivity },
  undoActivity: { title: () => t('Undo a change'), run: undoActivity },
  redoActivity: { title: () => t('Redo a change'), run: redoActivity },
  cancelActivity: { title: () => t('Cancel a change that runs'), run: cancelActivity },
  retryActivity: { title: () => t('Try a change again'), run: retryActivity },
  openActivity: { title: () => t('Open what was changed'), run: openActivity },
  copyActivity: { title: () => t('Copy the activity as text'), run: copyActivity },
  removeActivity: { title: () => t('Forget the change'), run: removeActivity },
  clearActivity: { title: () => t('Clear the activity'), run: clearActivity },
  filterActivity: { title: () => t('Filter the activity'), run: filterActivity },
  clearActivityFilter: {
    title: () => t('Clear the filter of the activity'),
    run: clearActivityFilter,
  },
  resetOffsets: { title: () => t('Reset offsets'), run: resetOffsets },
  deleteGroup: { title: () => t('Delete consumer group'), run: deleteGroup },
  copyName: { title: () => t('Copy name'), run: copy('name') },
  copyOffset: { title: () => t('Copy committed offset'), run: copy('offset') },
  copyLag: { title: () => t('Copy lag'), run: copy('lag') },
  copyLogStart: { title: () => t('Copy log start offset'), run: copy('logStart') },
  copyLastStable: { title: () => t('Copy last stable offset'), run: copy('lastStable') },
  copyHighWatermark: { title: () => t('Copy high watermark'), run: copy('highWatermark') },
  copyAddress: { title: () => t('Copy address'), run: copy('address') },
  copyId: { title: () => t('Copy id'), run: copy('id') },
  copyText: { title: () => t('Copy row as text'), run: copy('text') },
  openSelected: { title: () => t('Open the selected row'), run: openSelected },
  deleteSelected: { title: () => t('Delete the selected rows'), run: deleteSelected },
  openWalkthrough: {
    title: () => t('Show first steps'),
    run: async ({ workbench }) => {
      const id = `${workbench.context.extension.id}#${walkthroughId}`;
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', id);
    },
  },
  showLog: {
    title: () => t('Show log'),
    run: ({ workbench }) => {
      workbench.log.show();
      return Promise.resolve();
    },
  },
  openSettings: {
    title: () => t('Open settings'),
    run: async () => {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'kafkaWorkbench');
    },
  },
};
