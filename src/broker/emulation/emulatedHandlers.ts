import type { ApiName } from '../../protocol/apis.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, HandlerTable, RequestOf, ResponseOf } from '../handler.ts';
import { RequestError } from '../requestError.ts';
import type { Emulation } from './emulation.ts';

type AnyHandler = Handler<ApiName>;

/** The handlers that the other server would have too, in the versions that both have. */
export function emulatedHandlers(handlers: HandlerTable, emulation: Emulation): HandlerTable {
  const absent = new Set<string>(emulation.absent);
  // Name and handler come from one entry of a table, which no single type can say.
  const entries = Object.entries(handlers) as [ApiName, AnyHandler][];
  const kept = entries.flatMap(([name, handler]): [ApiName, AnyHandler][] => {
    const narrowed = absent.has(name) ? undefined : narrow(handler, emulation.versions?.[name]);
    return narrowed ? [[name, refusing(name, narrowed, emulation)]] : [];
  });
  return Object.fromEntries(kept);
}

/** Undefined: there is no version that both have. */
function narrow(
  handler: AnyHandler,
  range: readonly [min: number, max: number] | undefined,
): AnyHandler | undefined {
  if (range === undefined) return handler;
  const [ourMin, ourMax] = handler.versions;
  const versions = [Math.max(ourMin, range[0]), Math.min(ourMax, range[1])] as const;
  return versions[0] <= versions[1] ? { ...handler, versions } : undefined;
}

function refusing(name: ApiName, handler: AnyHandler, { refused, server }: Emulation): AnyHandler {
  const error = refused?.[name];
  if (error === undefined) return handler;
  if (name === 'consumerGroupDescribe') {
    const handle = ({ groupIds }: RequestOf<'consumerGroupDescribe'>) => ({
      groups: groupIds.map((groupId) => ({ groupId, errorCode: errorCodes[error] })),
    });
    return { ...handler, handle };
  }
  return {
    ...handler,
    handle(): ResponseOf<ApiName> {
      throw new RequestError(error, `${server} does not do this`);
    },
  };
}
