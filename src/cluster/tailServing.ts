import { DisposableStore } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { Channel, type Handlers, type Transport } from '../shared/channel.ts';
import type { UserError } from '../shared/contracts/common.ts';
import { type OpenTail, tailWorker, tailWorkerHost } from '../shared/contracts/tailWorker.ts';
import { ClusterSession } from './clusterSession.ts';
import { toProblem } from './problems.ts';
import { TailSession } from './tailSession.ts';

/** A tail with the connections that are its own, so that one does not slow another. */
interface Served extends DisposableStore {
  readonly session: TailSession;
}

/** Runs tails for the other side of a channel: what the worker does. Ends with the worker. */
export function serveTails(transport: Transport): void {
  const tails = new Map<number, Served>();
  const close = (tail: number): void => {
    tails.get(tail)?.dispose();
    tails.delete(tail);
  };
  const sessionOf = (tail: number): TailSession => {
    const served = tails.get(tail);
    if (served) return served.session;
    throw new Error('this tail was closed');
  };
  const handlers: Handlers<typeof tailWorker> = {
    open: async (options, signal) => {
      const served = serve(options, logger, (progress) =>
        channel.notify('progress', { tail: options.tail, progress }),
      );
      tails.set(options.tail, served);
      try {
        await served.session.start(signal);
        return {};
      } catch (error) {
        close(options.tail);
        return { error: toUserError(error) };
      }
    },
    close: ({ tail }) => {
      close(tail);
      return {};
    },
    setPaused: ({ tail, paused }) => {
      sessionOf(tail).setPaused(paused);
      return {};
    },
    rows: ({ tail, first, count }) => {
      const session = sessionOf(tail);
      const rows = session.rows(first, count);
      return { first: Math.max(first, session.progress.dropped), rows };
    },
    details: async ({ tail, partition, offset }, signal) => {
      try {
        const record = await sessionOf(tail).details(partition, BigInt(offset), signal);
        return record ? { record } : {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
    ping: () => ({}),
  };
  const channel = new Channel<typeof tailWorker, typeof tailWorkerHost>({
    transport,
    serves: tailWorker,
    handlers,
    calls: tailWorkerHost,
    onInvalid: (problem) => logger.warn(`tail worker: ${problem}`),
  });
  const log =
    (level: 'debug' | 'info' | 'warn') =>
    (message: string): void =>
      channel.notify('log', { level, message });
  const logger: Logger = {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('warn'),
  };
}

function serve(
  { connection, limits, topic, partitions, from, session: number }: OpenTail,
  logger: Logger,
  onProgress: (progress: TailSession['progress']) => void,
): Served {
  const { name, bootstrap } = connection;
  const profile = { id: 'tail', name, kind: 'remote', bootstrap, readOnly: true } as const;
  const store = new DisposableStore();
  const cluster = store.add(new ClusterSession(profile, { logger }));
  const what = { topic, partitions, from, session: number };
  const session = store.add(new TailSession({ cluster, ...what, ...(limits && { limits }) }));
  store.add(session.onDidProgress(onProgress));
  return Object.assign(store, { session });
}

/** Errors cross as data: what is thrown keeps its message only. */
function toUserError(error: unknown): UserError {
  const { message, hint } = toProblem(error);
  return { message, ...(hint !== undefined && { hint }) };
}
