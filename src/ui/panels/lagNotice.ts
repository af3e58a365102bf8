import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { grouped } from '../text.ts';
import type { LagRaised } from './lagWatches.ts';

/** Tells that a watched group has fallen behind; resolves to what the person wants of it, if anything. */
export async function tellOfLag(raised: LagRaised): Promise<'show' | 'stop' | undefined> {
  const [show, stop] = [t('Show lag'), t('Stop watching')];
  const answer = await vscode.window.showWarningMessage(wordsOf(raised), show, stop);
  return answer === show ? 'show' : answer === stop ? 'stop' : undefined;
}

function wordsOf({ subject: { cluster, group }, reason, now, watch }: LagRaised): string {
  return reason === 'records'
    ? t(
        '{0} on {1} is {2} offsets behind. You asked to be told at {3}.',
        group,
        cluster.name,
        grouped(now.records ?? 0n),
        grouped(BigInt(watch.records ?? 0)),
      )
    : t(
        '{0} on {1} is {2} seconds behind. You asked to be told at {3}.',
        group,
        cluster.name,
        grouped(Math.round(now.seconds ?? 0)),
        grouped(watch.seconds ?? 0),
      );
}
