/** The button that goes to the newest records, with how many there are below those that are seen. */
import { t } from '../../src/base/l10n.ts';
import { button } from '../kit/controls.ts';
import { show } from '../kit/dom.ts';
import { groupThousands } from '../kit/format.ts';

export class ToNewest {
  readonly element: HTMLElement;
  readonly #button: ReturnType<typeof button>;

  constructor(onClick: () => void) {
    this.#button = button({ label: '', icon: 'toEnd', onClick });
    this.element = this.#button.element;
    this.set(undefined);
  }

  /** Undefined: there is nowhere to go. */
  set(below: number | undefined): void {
    show(this.element, below !== undefined);
    if (below === undefined) return;
    this.#button.setLabel(t('Jump to newest ({0} below)', groupThousands(below)));
  }
}
