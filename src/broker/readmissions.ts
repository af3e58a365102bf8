import { errorMessage, type Logger } from '../base/logger.ts';
import type { Controller } from './controller/controller.ts';
import { leadAnew } from './controller/leadAnew.ts';
import type { Partition } from './partition.ts';

interface ReadmissionsOptions {
  readonly nodeId: number;
  readonly controller: Controller;
  readonly logger: Logger;
  readonly onDidReturn: (partition: Partition) => void;
}

/**
 * Brings partitions back that the disk had refused: in a new leader epoch, so that who has read what recovery cut off
 * is told that the log is another one there. [KIP-320, decision 36]
 */
export class Readmissions {
  readonly #options: ReadmissionsOptions;
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: ReadmissionsOptions) {
    this.#options = options;
  }

  /** The partition stays offline until the epoch is written, or cannot be. */
  begin(partition: Partition): void {
    partition.beginReturn();
    const returned = this.#leadAnew(partition).then(() => {
      this.#underWay.delete(returned);
      partition.endReturn();
      this.#options.onDidReturn(partition);
    });
    this.#underWay.add(returned);
  }

  async whenSettled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #leadAnew(partition: Partition): Promise<void> {
    const { controller, nodeId, logger } = this.#options;
    try {
      await controller.change((image) => leadAnew(image, partition, nodeId));
    } catch (error) {
      const name = `${partition.topic}-${partition.partition}`;
      logger.warn(`cannot write down that ${name} is led anew: ${errorMessage(error)}`);
    }
  }
}
