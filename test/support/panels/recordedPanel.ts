// A panel whose host notes what it is asked, and answers as it is told or with nothing.
import type { Handlers, Methods } from '../../../src/shared/channel.ts';
import { openPanel, type PanelPage } from '../panelPage.ts';
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
      for (;;) {
        const all = asked.filter((each) => each.method === method);
        const isNew = all.length > (looked.get(method) ?? 0);
        looked.set(method, all.length);
        if (isNew) return all.at(-1)?.params;
        await panel.page.waitForTimeout(20);
      }
    },
  };
}

type PanelName = Parameters<typeof openPanel>[0]['name'];
