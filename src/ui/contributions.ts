/**
 * What package.json contributes, named once. A command here without a handler is a compile error (see
 * commands/commandTable.ts); a unit test compares these lists with package.json.
 */

export const commandNames = [
  'startEmbedded',
  'stopEmbedded',
  'restartEmbedded',
  'embeddedActions',
  'loadSampleData',
  'advanceClock',
  'runMaintenance',
  'copyBootstrap',
  'copyClientSettings',
  'chooseEnvironment',
  'connectCluster',
  'importConnection',
  'testConnection',
  'editConnection',
  'duplicateConnection',
  'removeConnection',
  'reconnect',
  'disconnect',
  'refresh',
  'filterTopics',
  'filterGroups',
  'clearFilter',
  'clearFilters',
  'sortTopics',
  'sortGroups',
  'showInternalTopics',
  'hideInternalTopics',
  'pin',
  'unpin',
  'showMore',
  'createTopic',
  'deleteTopic',
  'addPartitions',
  'topicConfigs',
  'tail',
  'tailFromCommitted',
  'produce',
  'lag',
  'watchedLag',
  'produceSaved',
  'renameSaved',
  'deleteSaved',
  'showActivity',
  'undoActivity',
  'redoActivity',
  'cancelActivity',
  'retryActivity',
  'openActivity',
  'copyActivity',
  'removeActivity',
  'clearActivity',
  'filterActivity',
  'clearActivityFilter',
  'resetOffsets',
  'deleteGroup',
  'copyName',
  'copyOffset',
  'copyLag',
  'copyLogStart',
  'copyLastStable',
  'copyHighWatermark',
  'copyAddress',
  'copyId',
  'copyText',
  'openSelected',
  'deleteSelected',
  'openWalkthrough',
  'showLog',
  'openSettings',
] as const;
export type CommandName = (typeof commandNames)[number];

export function commandId(name: CommandName): string {
  return `kafkaWorkbench.${name}`;
}

export const clustersViewId = 'kafkaWorkbench.clusters';
export const savedViewId = 'kafkaWorkbench.saved';
export const activityViewId = 'kafkaWorkbench.activity';

/** Its steps are in package.json. */
export const walkthroughId = 'firstSteps';

/** Panel pages; each is the view type `kafkaWorkbench.<name>` and the script `dist/webview/<name>.js`. */
export const panelNames = ['tail', 'produce', 'offsets', 'lag'] as const;
export type PanelName = (typeof panelNames)[number];

export function panelViewType(name: PanelName): string {
  return `kafkaWorkbench.${name}`;
}

/** Settings with their defaults, below `kafkaWorkbench`. */
export const settingDefaults = {
  'embedded.port': 9092,
  'embedded.allowOtherPort': true,
  'embedded.keepRunning': false,
  'embedded.dataDirectory': '',
  'embedded.emulate': '',
  'environment.cluster': 'embedded',
  'lag.sampleSeconds': 2,
  'lag.alertRecords': 0,
  'lag.alertSeconds': 0,
  'tree.refreshSeconds': 3,
  'tree.showInternalTopics': false,
  'tree.lagThreshold': 10_000,
} as const;
export type SettingName = keyof typeof settingDefaults;

/** Context keys that `when` clauses in package.json read. */
export const contextKeys = {
  /** The state of the embedded cluster, by its name in `EmbeddedState`. */
  embedded: 'kafkaWorkbench.embedded',
  /** No cluster to show: the welcome view's turn. */
  empty: 'kafkaWorkbench.empty',
  /** There is a connection besides the embedded cluster. */
  connected: 'kafkaWorkbench.connected',
  /** A panel of the kind was opened, in whatever way: its step of the walkthrough is done. */
  openedTail: 'kafkaWorkbench.openedTail',
  openedProduce: 'kafkaWorkbench.openedProduce',
  openedOffsets: 'kafkaWorkbench.openedOffsets',
  openedLag: 'kafkaWorkbench.openedLag',
  /** The sample data was loaded, and the settings or the address of a cluster were taken: by whatever way. */
  loadedSample: 'kafkaWorkbench.loadedSample',
  tookSettings: 'kafkaWorkbench.tookSettings',
  /** A list shows only the rows that match a filter. */
  filtered: 'kafkaWorkbench.filtered',
  /** The Activity view shows only what matches a filter. */
  activityFiltered: 'kafkaWorkbench.activityFiltered',
} as const;
