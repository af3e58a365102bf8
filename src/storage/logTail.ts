import { writeFully } from './atomicFile.ts';
import type { LogParts } from './logParts.ts';

/** The end of the active segment's file: what is written there is in the log whole, or not at all. */
export class LogTail {
  readonly #parts: Pick<LogParts, 'context' | 'segments'>;
  /** Bytes of a failed write may lie behind the active segment's end. */
  #isDirty = false;

  constructor(parts: Pick<LogParts, 'context' | 'segments'>) {
    this.#parts = parts;
  }

  /** Where it fails nothing is in the log. */
  async write(buffers: readonly Buffer[]): Promise<void> {
    const { context, segments } = this.#parts;
    const { active } = segments;
    await this.clean();
    try {
      await context.handles.use(active.logPath, (file) => writeFully(file, buffers, active.size));
    } catch (error) {
      this.#isDirty = true;
      await this.clean().catch(() => undefined);
      throw error;
    }
  }

  /** Cuts off what a failed write left behind the end: it must never be taken for part of the log. */
  async clean(): Promise<void> {
    if (!this.#isDirty) return;
    const { context, segments } = this.#parts;
    const { active } = segments;
    await context.handles.use(active.logPath, (file) => file.truncate(active.size));
    this.#isDirty = false;
  }
}
