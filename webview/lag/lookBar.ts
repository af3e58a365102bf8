/** The button that has lags taken apart, how far that is, and the button that ends it. */
import { t } from '../../src/base/l10n.ts';
import { button } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { formatInt64 } from '../kit/format.ts';

export interface LookBar {
  readonly element: HTMLElement;
  /** Why there is nothing to look at; undefined: there is. */
  setReason(reason: string | undefined): void;
  setRunning(isRunning: boolean): void;
  progress(done: string, total: string): void;
}

export function lookBar(options: {
  readonly onLook: () => void;
  readonly onCancel: () => void;
}): LookBar {
  const look = button({
    label: t('Count what can be read'),
    title: t('Reads the batches between the commits and the ends, 64 MB at most.'),
    onClick: options.onLook,
  });
  const cancel = button({ label: t('Cancel'), onClick: options.onCancel });
  const words = h('span', { class: 'dim' });
  show(cancel.element, false);
  let reason: string | undefined;
  let isRunning = false;
  const update = (): void => look.setDisabled(isRunning ? t('Counting …') : reason);
  return {
    element: h('span', { class: 'labelled look' }, words, cancel.element, look.element),
    setReason: (why) => {
      reason = why;
      update();
    },
    setRunning: (running) => {
      isRunning = running;
      show(cancel.element, running);
      setText(words, running ? t('Counting …') : '');
      update();
    },
    progress: (done, total) => {
      if (!isRunning) return;
      setText(words, t('{0} of {1} offsets', formatInt64(done), formatInt64(total)));
    },
  };
}
