// A panel whose host notes what it is asked, and answers as it is told or with nothing.
import { inspect } from 'node:util';
import type { Handlers, Methods } from '../../../src/shared/channel.ts';
import { openPanel, type PanelPage } from '../panelPage.ts';
import { until } from '../until.ts';
import { watchControls } from './controls.ts';
import { Keys } from './keys.ts';

export interface Asked {
  readonly method: string;
  readonly params: unknown;
}

export interface RecordedPanel<Served extends Methods, Called extends Methods> extends PanelPage<
  Served,
  Called
> {
  readonly keys: Keys;
  readonly asked: readonly Asked[];
  /** What a method was asked with last, once it was asked more often than at the last look. */
  next(method: keyof Served & string): Promise<unknown>;
}

export async function openRecorded<Served extends Methods, Called extends Methods>(options: {
  readonly name: PanelName;
  readonly serves: Served;
  readonly calls: Called;
  readonly answers: Partial<Handlers<Served>>;
}): Promise<RecordedPanel<Served, Called>> {
  const asked: Asked[] = [];
  const { answers } = options;
  const handlers = Object.fromEntries(
    Object.keys(options.serves).map((method) => [
      method,
      (params: never, signal: AbortSignal): unknown => {
        asked.push({ method, params });
        return answers[method]?.(params, signal) ?? {};
      },
    ]),
  ) as unknown as Handlers<Served>;
  const panel = await openPanel({ ...options, handlers, script: watchControls });
  const looked = new Map<string, number>();
  return {
    ...panel,
    keys: new Keys(panel.page),
    asked,
    next: async (method) => {
      const all = (): Asked[] => asked.filter((each) => each.method === method);
      const seen = looked.get(method) ?? 0;
      await until(
        () => all().length > seen,
        () => `the page asks for no ${method} again; the last: ${inspect(all().at(-1)?.params)}`,
      );
      looked.set(method, all().length);
      return all().at(-1)?.params;
    },
  };
}

type PanelName = Parameters<typeof openPanel>[0]['name'];
