import { type Controller, metadataRecord } from './controller.ts';

/** How many ids a broker takes at once, so that most requests need no write. [ProducerIdsBlock] */
const blockSize = 1000n;

/** Hands out producer ids that no producer has had, also over restarts. [RPCProducerIdManager] */
export class ProducerIds {
  readonly #controller: Controller;
  readonly #brokerId: number;
  #next = 0n;
  #end = 0n;
  #refill: Promise<void> | undefined;

  constructor(controller: Controller, brokerId: number) {
    this.#controller = controller;
    this.#brokerId = brokerId;
  }

  async take(): Promise<bigint> {
    while (this.#next >= this.#end) {
      this.#refill ??= this.#takeBlock().finally(() => (this.#refill = undefined));
      await this.#refill;
    }
    return this.#next++;
  }

  async #takeBlock(): Promise<void> {
    const start = await this.#controller.change((image) => ({
      records: [
        metadataRecord('producerIds', {
          brokerId: this.#brokerId,
          brokerEpoch: -1n,
          nextProducerId: image.nextProducerId + blockSize,
        }),
      ],
      result: image.nextProducerId,
    }));
    this.#next = start;
    this.#end = start + blockSize;
  }
}
