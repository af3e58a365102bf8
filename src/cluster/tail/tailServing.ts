import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import type { SecurityOptions } from '../../client/security.ts';
import { Channel, type Handlers, type Transport } from '../../shared/channel.ts';
import { cutWords, type UserError } from '../../shared/contracts/common.ts';
import { type OpenTail, tailWorker, tailWorkerHost } from '../../shared/contracts/tailWorker.ts';
import { ClusterSession } from '../clusterSession.ts';
import { toProblem } from '../problems.ts';
import { tailDecoders } from './tailDecoders.ts';
import type { WorkerFiles } from './tailScriptMatcher.ts';
import { TailSession } from './tailSession.ts';
import { filterProblem } from './tailView.ts';

/** A tail with the connections that are its own, so that one does not slow another. */
interface Served extends DisposableStore {
  readonly session: TailSession;
}

type Serves = Handlers<typeof tailWorker>;

/** Runs tails for the other side of a channel: what the worker does. Ends with the worker. */
export class TailServing {
  readonly #files: WorkerFiles;
  readonly #tails = new Map<number, Served>();
  readonly #channel: Channel<typeof tailWorker, typeof tailWorkerHost>;
  readonly #logger: Logger;

  constructor(transport: Transport, files: WorkerFiles) {
    this.#files = files;
    const log =
      (level: 'debug' | 'info' | 'warn') =>
      (message: string): void =>
        this.#channel.notify('log', { level, message });
    const warn = log('warn');
    this.#logger = { debug: log('debug'), info: log('info'), warn, error: warn };
    this.#channel = new Channel({
      transport,
      serves: tailWorker,
      handlers: {
        ...this.#lifeHandlers(),
        ...this.#filterHandlers(),
        ...this.#decoderHandlers(),
        ...this.#rowHandlers(),
      },
      calls: tailWorkerHost,
      onInvalid: (problem) => warn(`tail worker: ${problem}`),
    });
  }

  #lifeHandlers(): Pick<Serves, 'open' | 'close' | 'setPaused' | 'ping'> {
    return {
      open: async (options, signal) => {
        const { tail, filter, within, session: number } = options;
        const served = this.#serve(options);
        this.#tails.set(tail, served);
        try {
          const decoders = await tailDecoders(options.topic, options.decoders);
          await served.session.setDecoders(decoders, number);
          await served.session.start(signal);
          await served.session.setFilter({ filter, show: 'matched', within, session: number });
          this.#tell(tail);
          return {};
        } catch (error) {
          this.#close(tail);
          return { error: toUserError(error) };
        }
      },
      close: ({ tail }) => {
        this.#close(tail);
        return {};
      },
      setPaused: ({ tail, paused }) => {
        this.#session(tail).setPaused(paused);
        return {};
      },
      ping: () => ({}),
    };
  }

  #filterHandlers(): Pick<Serves, 'setFilter' | 'setOrder' | 'checkFilter'> {
    return {
      setFilter: async ({ tail, ...request }) => {
        try {
          await this.#session(tail).setFilter(request);
          // Before the answer: the rows asked for next are those of this session.
          this.#tell(tail);
          return {};
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
      setOrder: async ({ tail, order, session: number }) => {
        try {
          const isDone = await this.#session(tail).setOrder(order, number);
          this.#tell(tail);
          return { isDone };
        } catch (error) {
          return { isDone: false, error: toUserError(error) };
        }
      },
      checkFilter: async ({ filter }) => {
        const problem = await filterProblem(filter, { files: this.#files, clock: systemClock });
        return problem === undefined ? {} : { problem };
      },
    };
  }

  #decoderHandlers(): Pick<Serves, 'setDecoders' | 'protobufMessages'> {
    return {
      setDecoders: async ({ tail, decoders, session: number }) => {
        try {
          const session = this.#session(tail);
          await session.setDecoders(await tailDecoders(session.options.topic, decoders), number);
          this.#tell(tail);
          return {};
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
      protobufMessages: async ({ schema }) => {
        try {
          const { protobufMessages } = await import('../../codec/protobufDecoder.ts');
          return { names: protobufMessages(schema) };
        } catch (error) {
          return { names: [], error: toUserError(error) };
        }
      },
    };
  }

  #rowHandlers(): Pick<Serves, 'rows' | 'findRow' | 'details' | 'exportRows' | 'histogram'> {
    return {
      findRow: ({ tail, session, partition, offset }) => {
        const row = this.#session(tail).findRow(session, partition, BigInt(offset));
        return row === undefined ? {} : { row };
      },
      histogram: ({ tail }) => {
        const histogram = this.#session(tail).histogram();
        return histogram ? { histogram } : {};
      },
      exportRows: ({ tail, ...request }) => this.#session(tail).exportRows(request),
      rows: ({ tail, session: number, first, count, parts }) => {
        const session = this.#session(tail);
        const rows = session.rows(number, { first, count, parts });
        return { first: Math.max(first, session.progress.dropped), rows };
      },
      details: async ({ tail, partition, offset }, signal) => {
        try {
          const record = await this.#session(tail).details(partition, BigInt(offset), signal);
          return record ? { record } : {};
        } catch (error) {
          return { error: toUserError(error) };
        }
      },
    };
  }

  #serve({ tail, connection, limits, ...options }: OpenTail): Served {
    const { name, bootstrap } = connection;
    // It was one when it was sent, from a session of ours.
    const security = connection.security as SecurityOptions;
    const { topic, partitions, isAll = false, from, scope, session: number } = options;
    const profile = { id: 'tail', name, kind: 'remote', bootstrap, readOnly: true } as const;
    const store = new DisposableStore();
    const cluster = store.add(
      new ClusterSession(profile, {
        security: () => Promise.resolve(security),
        logger: this.#logger,
      }),
    );
    const what = { topic, partitions, isAll, from, scope, session: number };
    const within = { files: this.#files, ...(limits && { limits }) };
    const session = store.add(new TailSession({ cluster, ...within, ...what }));
    store.add(session.onDidProgress(() => this.#tell(tail)));
    return Object.assign(store, { session });
  }

  #session(tail: number): TailSession {
    const served = this.#tails.get(tail);
    if (served) return served.session;
    throw new Error(t('this tail was closed'));
  }

  #tell(tail: number): void {
    const served = this.#tails.get(tail);
    if (served) this.#channel.notify('progress', { tail, progress: served.session.progress });
  }

  #close(tail: number): void {
    this.#tails.get(tail)?.dispose();
    this.#tails.delete(tail);
  }
}

/** Errors cross as data: what is thrown keeps its message only. */
function toUserError(error: unknown): UserError {
  const { message, hint } = toProblem(error);
  return { message: cutWords(message), ...(hint !== undefined && { hint: cutWords(hint) }) };
}
