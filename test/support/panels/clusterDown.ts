// A panel whose cluster goes down while it is open, and is started from there.
import type { Page } from 'playwright-core';
import type { ClusterStatus } from '../../../src/shared/contracts/clusterStatus.ts';
import type { Keys } from './keys.ts';

interface ToldPanel {
  readonly page: Page;
  readonly host: { notify(method: 'status', status: ClusterStatus): void };
}

interface AskedPanel extends ToldPanel {
  readonly keys: Keys;
  next(method: 'bringUp'): Promise<unknown>;
}

export const downProblem = { message: 'The embedded cluster is not running.' };

/** Tells the page that its cluster does not run, and waits until the page says so. */
export async function goDown({ page, host }: ToldPanel): Promise<void> {
  host.notify('status', { state: 'down', problem: downProblem, remedy: 'start' });
  await page.getByRole('note').getByText(downProblem.message).waitFor();
}

/** What a host answers to `bringUp` that brings the cluster up at once. */
export function comeUp({ host }: Pick<ToldPanel, 'host'>): object {
  host.notify('status', { state: 'up' });
  return {};
}

/** Presses the button that starts the cluster, and waits until the page no longer speaks of it. */
export async function startByPointer({ page }: Pick<ToldPanel, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Start the embedded cluster' }).click();
  await page.getByRole('note').waitFor({ state: 'hidden' });
}

/** The cluster goes down, and is started with the keys alone. */
export async function startByKeys(panel: AskedPanel): Promise<void> {
  await goDown(panel);
  await panel.keys.push('Start the embedded cluster');
  await panel.next('bringUp');
  comeUp(panel);
  await panel.page.getByRole('note').waitFor({ state: 'hidden' });
}
