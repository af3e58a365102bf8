/** What a panel asks of its host: whatever fails of it is said in the panel's banner. */
import { t } from '../../src/base/l10n.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import { iconButton } from './controls.ts';
import { type Banner, toUserError } from './parts.ts';

interface Answer {
  error?: UserError | undefined;
}

export interface Attempts {
  /** The result; undefined where it failed. */
  readonly run: <T>(action: () => Promise<T>) => Promise<T | undefined>;
  /** For what has nothing to answer but a failure. */
  readonly act: (call: () => Promise<Answer>) => Promise<void>;
  /** An answer, with what failed of it said. */
  readonly shown: <T extends Answer>(answer: T) => T;
}

export function attempts(banner: Banner): Attempts {
  const shown = <T extends Answer>(answer: T): T => {
    banner.show(answer.error);
    return answer;
  };
  const run = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      banner.show(toUserError(error));
      return undefined;
    }
  };
  const act = async (call: () => Promise<Answer>): Promise<void> => {
    await run(async () => shown(await call()));
  };
  return { run, act, shown };
}

export interface Loader {
  /** Loads again. */
  readonly element: HTMLElement;
  load(method: 'ready' | 'load'): Promise<void>;
}

/** Loads what a panel is of, when it begins and when it is asked to. */
export function loader(options: {
  readonly banner: Banner;
  /** Why it cannot be loaded stands in the line of the cluster, with the button that helps. */
  readonly isDown: () => boolean;
  /** Shows what was loaded, and answers with what failed. */
  readonly load: (method: 'ready' | 'load') => Promise<UserError | undefined>;
}): Loader {
  const refresh = iconButton({
    label: t('Refresh'),
    icon: 'refresh',
    onClick: () => void load('load'),
  });
  const again = { label: t('Try again'), onClick: () => void load('load') };
  const showError = (error: UserError | undefined): void =>
    options.banner.show(options.isDown() ? undefined : error, again);
  const load = async (method: 'ready' | 'load'): Promise<void> => {
    refresh.setDisabled(t('Refreshing …'));
    try {
      showError(await options.load(method));
    } catch (error) {
      showError(toUserError(error));
    }
    refresh.setDisabled(undefined);
  };
  return { element: refresh.element, load };
}
