import type { Clock } from '../base/clock.ts';
import { type Deferred, deferred } from '../base/deferred.ts';
import { t } from '../base/l10n.ts';
import { type ApiName, apis } from '../protocol/apis.ts';
import { errorCodes } from '../protocol/errors.ts';
import { correlationIdOf, decodeResponse } from '../protocol/frames.ts';
import { FrameSplitter } from '../protocol/frameSplitter.ts';
import { decodeInSlices } from './decodeInSlices.ts';

const mebibyte = 1024 * 1024;
/** From whom nobody has shown yet who they are. */
const maxAcquaintanceBytes = mebibyte;
/** A million partitions. Read, an answer may take ten times its bytes. */
const maxAnswerBytes = 64 * mebibyte;
/** A fetch may return one batch that is larger than all limits. Its records are views of the answer. */
const maxFetchBytes = 256 * mebibyte;
/** A larger answer, such as one about ten thousand topics, is read in slices, between which others have their turns. */
const largeFrameBytes = 128 * 1024;

/** What is asked. */
interface Asked {
  readonly api: ApiName;
  readonly version: number;
  readonly correlationId: number;
}

interface Pending extends Asked {
  readonly answer: Deferred<unknown>;
}

export interface AnswersOptions {
  readonly clock: Clock;
  /** Where the bytes come from: paused while a large answer is read. */
  readonly source: { pause(): unknown; resume(): unknown };
  /** Told when more, or less, of what arrived is held. */
  readonly onDidChangeHeld: () => void;
  /** Told when there is room for another request. */
  readonly onDidAnswer: () => void;
  /** Told what a large answer fails at; any other is thrown by `receive`. */
  readonly onDidBreak: (error: unknown) => void;
}

/**
 * The answers of one broker to the requests that wait for them. A broker answers in order, so an answer that is not the
 * oldest request's is a fault, as anything malformed is. [NetworkClient] One large answer is read at a time, and no
 * other bytes are taken meanwhile.
 */
export class Answers {
  readonly #options: AnswersOptions;
  readonly #splitter = new FrameSplitter();
  readonly #pending: Pending[] = [];
  /** Bytes of the large answer that is being read. */
  #readingBytes = 0;
  #isOver = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#pending.length;
  }

  /** Bytes that have arrived of answers that nobody has yet. */
  get heldBytes(): number {
    return this.#splitter.bufferedBytes + this.#readingBytes;
  }

  /** The answer to a request that is being sent. */
  expect(asked: Asked): Promise<unknown> {
    const answer = deferred<unknown>();
    this.#pending.push({ ...asked, answer });
    return answer.promise;
  }

  /** Takes bytes. Throws where they are not Kafka's protocol. */
  receive(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#splitter.push(chunk);
    this.#takeFrames();
  }

  /** Nothing more comes. */
  fail(errorOf: () => Error): void {
    this.#isOver = true;
    for (const { answer } of this.#pending.splice(0)) answer.reject(errorOf());
  }

  #takeFrames(): void {
    while (this.#readingBytes === 0 && !this.#isOver) {
      this.#splitter.maxFrameBytes = mostBytes(this.#pending[0]?.api);
      const frame = this.#splitter.next();
      if (!frame) break;
      this.#take(frame);
    }
    this.#options.onDidChangeHeld();
  }

  #take(frame: Buffer): void {
    const correlationId = correlationIdOf(frame);
    const [oldest] = this.#pending;
    if (oldest?.correlationId !== correlationId) {
      throw new Error(t('an answer to request {0}, which is not the one waiting', correlationId));
    }
    if (frame.length > largeFrameBytes) {
      void this.#takeLarge(oldest, frame);
      return;
    }
    const { api, version } = oldest;
    this.#settle(decodeResponse(apis[api], answeredVersion(api, version, frame), frame).body);
  }

  async #takeLarge({ api, version }: Asked, frame: Buffer): Promise<void> {
    const { clock, source, onDidAnswer, onDidBreak } = this.#options;
    this.#readingBytes = frame.length;
    source.pause();
    try {
      const body = await decodeInSlices(api, version, frame, clock);
      this.#readingBytes = 0;
      this.#settle(body);
      source.resume();
      this.#takeFrames();
      onDidAnswer();
    } catch (error) {
      onDidBreak(error);
    }
  }

  #settle(body: unknown): void {
    this.#pending.shift()?.answer.resolve(body);
  }
}

function mostBytes(api: ApiName | undefined): number {
  if (api === 'fetch') return maxFetchBytes;
  const isAcquaintance = api === undefined || api === 'apiVersions' || api.startsWith('sasl');
  return isAcquaintance ? maxAcquaintanceBytes : maxAnswerBytes;
}

/** A broker that lacks our version of ApiVersions answers error 35 with a body of version 0. [KIP-511] */
function answeredVersion(api: ApiName, version: number, frame: Buffer): number {
  const isUnsupported =
    api === 'apiVersions' &&
    frame.length >= 6 &&
    frame.readInt16BE(4) === errorCodes.UNSUPPORTED_VERSION;
  return isUnsupported ? 0 : version;
}
