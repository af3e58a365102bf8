/** The notification that shows what a closed produce panel still sends. */
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ManyResult } from '../../shared/contracts/produce.ts';
import { ignoreCancelled, type Progress, withProgress } from '../commands/prompts.ts';
import { counted, grouped } from '../text.ts';
import type { Sending } from './produceSending.ts';

export async function showSending(sending: Sending): Promise<void> {
  const { topic, end, controller } = sending;
  const follow = ({ report, signal }: Progress): Promise<ManyResult> => {
    signal.addEventListener('abort', () => controller.abort(), { once: true });
    sending.tell = ({ sent, total }) => {
      if (total === null) report(counted(sent, 'record'));
      else report(t('{0} of {1}', grouped(sent), grouped(total)), sent / total);
    };
    sending.tell(sending.progress);
    return end;
  };
  await ignoreCancelled(withProgress(t('Sending records to {0}', topic), follow));
  tellEnd(topic, await end);
}

function tellEnd(topic: string, { sent, cancelled, error }: ManyResult): void {
  const records = counted(sent, 'record');
  if (error) {
    const words = t('{0} sent to {1}, then it failed: {2}', records, topic, error.message);
    void vscode.window.showErrorMessage([words, error.hint ?? ''].join(' ').trim());
  } else if (cancelled) {
    void vscode.window.showWarningMessage(t('{0} sent to {1}, then cancelled.', records, topic));
  } else {
    void vscode.window.showInformationMessage(t('{0} sent to {1}.', records, topic));
  }
}
