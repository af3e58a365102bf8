/**
 * What has gone wrong: in a line across the panel, or, while the cluster is down, with the button that brings it up.
 */
import { t } from '../../src/base/l10n.ts';
import type { ClusterStatus } from '../../src/shared/contracts/clusterStatus.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { tailHost } from '../../src/shared/contracts/tail.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import { clusterLine } from '../kit/clusterLine.ts';
import type { Host } from '../kit/host.ts';
import { errorBanner, toUserError } from '../kit/parts.ts';

export interface FailuresOptions {
  readonly host: () => Host<typeof tailHost>;
  /** What is wrong with a seek is said at its input, and nowhere else. */
  readonly isSeeking: () => boolean;
  readonly startAgain: () => void;
}

export class Failures {
  readonly banner = errorBanner();
  readonly #options: FailuresOptions;
  readonly #cluster = clusterLine(() => void this.#bringUp());
  readonly clusterElement = this.#cluster.element;
  /** As it was told last. */
  #told: TailProgress | undefined;
  /** The session's own error is in the banner. */
  #hadError = false;

  /** The embedded cluster was stopped, or stopped by itself. */
  #isClusterStopped = false;

  constructor(options: FailuresOptions) {
    this.#options = options;
  }

  get isClusterStopped(): boolean {
    return this.#isClusterStopped;
  }

  /** Says why an action failed. */
  async run(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.banner.show(toUserError(error));
    }
  }

  onProgress(progress: TailProgress): void {
    this.#told = progress;
    const { error: failure, state, filter } = progress;
    const error = failure ?? filter?.problem;
    if (error && this.#options.isSeeking()) return;
    // While the cluster is down that is said, with the button that helps.
    const isTold = failure !== undefined && this.#cluster.why !== undefined;
    if (error && !isTold) this.#show(error, state === 'failed' ? againLabel(progress) : undefined);
    else if (this.#hadError) this.banner.show(undefined);
    this.#hadError = error !== undefined;
  }

  /** What is held stays until the person starts again, or has had the cluster brought up from here. */
  onStatus(status: ClusterStatus): void {
    this.#cluster.show(status);
    this.#isClusterStopped = status.state === 'down' && status.remedy === 'start';
    if (this.#told) this.onProgress(this.#told);
  }

  /** With the button that starts again, where it has a label. */
  #show(error: UserError, label: string | undefined): void {
    const onClick = this.#options.startAgain;
    this.banner.show(error, label === undefined ? undefined : { label, onClick });
  }

  async #bringUp(): Promise<void> {
    await this.run(() => this.#options.host().callWithoutDeadline('bringUp', {}));
    if (this.#told?.state === 'failed' && this.#cluster.why === undefined)
      this.#options.startAgain();
  }
}

function againLabel({ topicGone }: TailProgress): string {
  return topicGone ? t('Tail again') : t('Start again');
}
