/** What ticks the steps of the walkthrough: that it was done, in whatever way, not that a command was called. */
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { ActivityLog } from '../cluster/activity/activityLog.ts';
import { contextKeys } from './contributions.ts';

export function tickStep(step: 'loadedSample' | 'tookSettings'): void {
  void vscode.commands.executeCommand('setContext', contextKeys[step], true);
}

/** Ticks the loading of the sample once it is in the list of changes, from this window or another. */
export function tickChanges(activity: Pick<ActivityLog, 'entries' | 'onDidChange'>): Disposable {
  const subscription = activity.onDidChange(() => {
    const isLoaded = activity.entries.some(
      ({ change, state }) => change.kind === 'loadSample' && state === 'done',
    );
    if (!isLoaded) return;
    subscription.dispose();
    tickStep('loadedSample');
  });
  return subscription;
}
