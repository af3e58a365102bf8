import { DisposableStore } from '../../base/disposable.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { lagPanel } from './lagPanel.ts';
import type { LagSubject } from './lagSubject.ts';
import { offsetsPanel } from './offsetsPanel.ts';
import type { OffsetsSubject } from './offsetsSubject.ts';
import { type PanelContext, PanelHost } from './panelHost.ts';
import { producePanel } from './producePanel.ts';
import type { ProduceSubject } from './produceSubject.ts';
import { RecordComparison } from './recordComparison.ts';
import { handleTailLinks } from './tailLinkHandler.ts';
import { tailPanel } from './tailPanel.ts';
import type { TailSubject } from './tailSubject.ts';

interface RecordPlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** The panels of this window. */
export class Panels extends DisposableStore {
  readonly #tail: PanelHost<TailSubject>;
  readonly #produce: PanelHost<ProduceSubject>;
  readonly #offsets: PanelHost<OffsetsSubject>;
  readonly #lag: PanelHost<LagSubject>;

  constructor(context: PanelContext) {
    super();
    this.#tail = this.add(
      new PanelHost(
        tailPanel(context, {
          openProduce: (subject) => this.openProduce(subject),
          comparison: this.add(new RecordComparison()),
        }),
        context,
      ),
    );
    this.#produce = this.add(
      new PanelHost(
        producePanel(context, (cluster, record) => this.#showRecord(cluster, record)),
        context,
      ),
    );
    this.#offsets = this.add(new PanelHost(offsetsPanel(context), context));
    this.add(handleTailLinks({ ...context, openTail: (subject) => this.openTail(subject) }));
    const links = {
      openOffsets: (subject: OffsetsSubject) => this.openOffsets(subject),
      openTail: (subject: TailSubject) => this.openTail(subject),
    };
    this.#lag = this.add(new PanelHost(lagPanel(context, links), context));
  }

  openTail(subject: TailSubject): void {
    this.#tail.open(subject);
  }

  openProduce(subject: ProduceSubject): void {
    this.#produce.open(subject);
  }

  #showRecord(cluster: ClusterProfile, { topic, partition, offset }: RecordPlace): void {
    this.openTail({
      cluster,
      topic,
      partitions: [partition],
      from: offset.toString(),
      open: { partition, offset },
    });
  }

  openOffsets(subject: OffsetsSubject): void {
    this.#offsets.open(subject);
  }

  openLag(subject: LagSubject): void {
    this.#lag.open(subject);
  }
}
