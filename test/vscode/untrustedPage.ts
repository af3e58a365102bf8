import type { FrameLocator } from 'playwright-core';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';

interface EditorApi {
  postMessage(message: unknown): void;
}

/** What a panel's page sees as global, once `watchPages` has looked over its shoulder. */
interface WatchedPage {
  toHost: EditorApi | undefined;
  addEventListener(
    type: 'message',
    listener: (event: { readonly data: { readonly id?: unknown } }) => void,
  ): void;
}

/**
 * Keeps the page's way to its host, which the editor hands out once, where a test can use it as a script that has got
 * into the page would. Holds for pages opened from now on.
 */
export async function watchPages(window: EditorWindow): Promise<void> {
  await window.page.context().addInitScript(() => {
    const page = globalThis as unknown as WatchedPage;
    let acquire: (() => EditorApi) | undefined;
    Object.defineProperty(page, 'acquireVsCodeApi', {
      configurable: true,
      get: () => acquire && (() => (page.toHost ??= acquire?.())),
      set: (given: typeof acquire) => (acquire = given),
    });
  });
}

/** Sends a message to the host from inside the page and returns the first answer of the same id. */
export async function sendFromPage(
  frame: FrameLocator,
  message: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  return frame.locator('body').evaluate(
    (_body, sent) =>
      new Promise((resolve, reject) => {
        const page = globalThis as unknown as WatchedPage;
        const timer = setTimeout(() => reject(new Error('the host did not answer')), 10_000);
        page.addEventListener('message', ({ data }) => {
          if (data.id !== sent['id']) return;
          clearTimeout(timer);
          resolve(data);
        });
        page.toHost?.postMessage(sent);
      }),
    message,
  );
}
