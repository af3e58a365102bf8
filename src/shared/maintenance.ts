/** What a broker does every few minutes, and does at once when a person asks for it. */
export const maintenanceTasks = ['retention', 'compaction', 'offsets', 'transactions'] as const;

export type MaintenanceTask = (typeof maintenanceTasks)[number];

export interface MaintenanceResult {
  readonly task: MaintenanceTask;
  /** In words. */
  readonly summary: string;
}
