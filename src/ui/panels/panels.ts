import { DisposableStore } from '../../base/disposable.ts';
import type { Workbench } from '../workbench.ts';
import { type OffsetsSubject, offsetsPanel } from './offsetsPanel.ts';
import { PanelHost } from './panelHost.ts';
import { type ProduceSubject, producePanel } from './producePanel.ts';
import { type TailSubject, tailPanel } from './tailPanel.ts';

/** The panels of this window. */
export class Panels extends DisposableStore {
  readonly #tail: PanelHost<TailSubject>;
  readonly #produce: PanelHost<ProduceSubject>;
  readonly #offsets: PanelHost<OffsetsSubject>;

  constructor(workbench: Workbench) {
    super();
    const environment = { extensionUri: workbench.context.extensionUri, log: workbench.log };
    this.#tail = this.add(new PanelHost(tailPanel(workbench), environment));
    this.#produce = this.add(new PanelHost(producePanel(workbench), environment));
    this.#offsets = this.add(new PanelHost(offsetsPanel(workbench), environment));
  }

  openTail(subject: TailSubject): void {
    this.#tail.open(subject);
  }

  openProduce(subject: ProduceSubject): void {
    this.#produce.open(subject);
  }

  openOffsets(subject: OffsetsSubject): void {
    this.#offsets.open(subject);
  }
}
