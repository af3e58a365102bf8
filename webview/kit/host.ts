/// <reference types="vscode-webview" />
/** The other end of the page: the extension, through one typed channel, and what is kept over a reload. */
import * as v from 'valibot';
import { t } from '../../src/base/l10n.ts';
import {
  Channel,
  ChannelError,
  type Handlers,
  type Methods,
  type Transport,
} from '../../src/shared/channel.ts';

const ANSWER_MS = 30_000;

/** Set by the editor; may be asked for once in the life of a page. */
const editor = acquireVsCodeApi();

const transport: Transport = {
  send: (message) => editor.postMessage(message),
  listen: (receive) => {
    const onMessage = (event: MessageEvent<unknown>): void => receive(event.data);
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  },
};

export interface Host<Called extends Methods> {
  /** Calls the extension; rejects with words for people if it fails or does not answer in time. */
  readonly call: Channel<Methods, Called>['call'];
  /** As `call`, for what waits for a person to answer a question. */
  readonly callWithoutDeadline: Channel<Methods, Called>['call'];
}

/** Serves `handlers` to the extension and calls what it serves. Ends with the page. */
export function connect<Served extends Methods, Called extends Methods>(
  serves: Served,
  handlers: Handlers<Served>,
  calls: Called,
): Host<Called> {
  const onInvalid = (problem: string): void => {
    // The page's console is the only place for this: it means that the two sides disagree.
    // eslint-disable-next-line no-console
    console.error(`Kafka Workbench panel: ${problem}`);
  };
  const channel = new Channel({ transport, serves, handlers, calls, onInvalid });
  return {
    callWithoutDeadline: (method, params, signal) => channel.call(method, params, signal),
    call: async (method, params, signal) => {
      const deadline = AbortSignal.timeout(ANSWER_MS);
      try {
        const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
        return await channel.call(method, params, either);
      } catch (error) {
        if (!deadline.aborted || signal?.aborted) throw error;
        throw new ChannelError(
          t('The extension did not answer within {0} seconds.', ANSWER_MS / 1000),
        );
      }
    },
  };
}

/** What the page kept, if it is what `schema` says; the host gets the same when it restores the panel. */
export function savedState<S extends v.GenericSchema>(schema: S): v.InferOutput<S> | undefined {
  const parsed = v.safeParse(schema, editor.getState());
  return parsed.success ? parsed.output : undefined;
}

export function saveState<S extends v.GenericSchema>(_schema: S, state: v.InferInput<S>): void {
  editor.setState(state);
}
