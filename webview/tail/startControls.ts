/** Where the tail starts, and of what: a seek expression, partitions, and which of the records in their logs. */
import { t } from '../../src/base/l10n.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { TailSetup } from '../../src/shared/contracts/tail.ts';
import { h } from '../kit/dom.ts';
import { errorWords } from '../kit/parts.ts';
import { partitionChooser } from './partitionChooser.ts';
import { scopeChooser } from './scopeChooser.ts';
import { seekInput } from './seekInput.ts';

export type TailStart = Pick<TailSetup, 'from' | 'partitions' | 'scope'>;

export interface StartControlsOptions {
  /** As the host knows it. */
  readonly setup: () => TailSetup | undefined;
  /** The person has chosen another start. */
  readonly onChoose: () => void;
  /** Has the host start there. Resolves with why that cannot be. */
  readonly start: (wanted: TailStart) => Promise<UserError | undefined>;
  /** It has started there. */
  readonly onStarted: (start: TailStart) => void;
}

export class StartControls {
  readonly #options: StartControlsOptions;
  readonly #seek = seekInput((from) => this.#choose({ from }));
  readonly #partitions = partitionChooser((partitions) => this.#choose({ partitions }));
  readonly #scope = scopeChooser(() => this.#choose({}));
  readonly elements: readonly HTMLElement[];
  /** How many starts were asked for, and of how many there is an answer or a newer one. */
  #asked = 0;
  #answered = 0;

  constructor(options: StartControlsOptions) {
    this.#options = options;
    const from = h('span', { class: 'dim' }, t('from'));
    this.elements = [
      h('label', { class: 'labelled' }, from, this.#seek.element),
      this.#partitions.element,
      this.#scope.element,
    ];
  }

  get isSeeking(): boolean {
    return this.#asked > this.#answered;
  }

  /** What is in force; what a person has just chosen stays until the host has answered. */
  show({ from, partitionCount, partitions, scope }: TailSetup): void {
    if (!this.isSeeking) this.#seek.value = from;
    this.#partitions.set(partitionCount, partitions);
    this.#scope.value = scope;
  }

  /** The topic has other partitions now; what is being typed stays. */
  showPartitions({ partitionCount, partitions }: TailSetup): void {
    this.#partitions.set(partitionCount, partitions);
  }

  async startFrom(from: string, partitions: number[]): Promise<void> {
    const wanted = { from, partitions, scope: this.#scope.value };
    const mine = ++this.#asked;
    let error: UserError | undefined;
    try {
      error = await this.#options.start(wanted);
    } finally {
      // A newer one is under way else, and what it asks for is what is shown.
      if (mine === this.#asked) this.#answered = mine;
    }
    if (mine !== this.#asked) return;
    this.#seek.setProblem(error && errorWords(error));
    const setup = this.#options.setup();
    if (!error) this.#options.onStarted(wanted);
    else if (setup) this.#scope.value = setup.scope;
  }

  #choose(chosen: Partial<TailStart>): void {
    const { from = 'latest', partitions = [] } = { ...this.#options.setup(), ...chosen };
    this.#options.onChoose();
    void this.startFrom(from, partitions);
  }
}
