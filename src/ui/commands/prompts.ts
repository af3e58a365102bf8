import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { CancelledError as WorkCancelledError } from '../../client/kafkaError.ts';
import type { ClusterProfile } from '../../cluster/model.ts';

/** The person changed their mind. Ends the command without a word, at whichever question it was. */
export class CancelledError extends Error {
  override name = 'CancelledError';
}

/** Whether somebody has cancelled: a question, a notification, or the change in the list of activity. */
export function isCancellation(error: unknown): boolean {
  return error instanceof CancelledError || error instanceof WorkCancelledError;
}

function answered<T>(answer: T | undefined): T {
  if (answer === undefined) throw new CancelledError();
  return answer;
}

/** The answer to a question, or undefined where the person changed their mind. */
export async function ignoreCancelled<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CancelledError) return undefined;
    throw error;
  }
}

export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

export interface Question {
  readonly title: string;
  readonly placeholder: string;
}

/** Asks to choose one. `choices` may still be on their way: the list shows that it is loading. */
export async function choose<T>(
  question: Question,
  choices: readonly Choice<T>[] | Promise<readonly Choice<T>[]>,
): Promise<T> {
  const picked = await vscode.window.showQuickPick(choices as Choice<T>[] | Promise<Choice<T>[]>, {
    title: question.title,
    placeHolder: question.placeholder,
    matchOnDescription: true,
    // A panel that gets the focus back after one question would take the next one away.
    ignoreFocusOut: true,
  });
  return answered(picked).value;
}

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  /** What is wrong with the text, or undefined. */
  readonly validate: (text: string) => string | undefined;
}

/** Asks for a line of text, which is trimmed. */
export async function askText(question: TextQuestion): Promise<string> {
  const text = await vscode.window.showInputBox({
    title: question.title,
    prompt: question.prompt,
    ...(question.value !== undefined && { value: question.value }),
    ...(question.placeholder !== undefined && { placeHolder: question.placeholder }),
    validateInput: (value) => question.validate(value.trim()),
    ignoreFocusOut: true,
  });
  return answered(text).trim();
}

/**
 * Asks, in a dialog that cannot be overlooked, whether to go on; `action` is the button's text. Where something on
 * a cluster marked as production is destroyed, its name has to be typed too. Every destructive command asks here,
 * and so has to say on which cluster; undefined: nothing is destroyed on any.
 */
export async function confirm(
  message: string,
  detail: string,
  action: string,
  cluster: ClusterProfile | undefined,
): Promise<void> {
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, action);
  answered(answer);
  if (cluster?.isProduction) await typeName(cluster.name, message);
}

async function typeName(name: string, title: string): Promise<void> {
  await askText({
    title,
    prompt: t('{0} is marked as production. Type its name to go on.', name),
    placeholder: name,
    validate: (text) => (text === name ? undefined : t('Type {0}.', name)),
  });
}

export interface Progress {
  readonly signal: AbortSignal;
  /** `fraction` of the whole done so far, 0 to 1, where it is known. */
  readonly report: (message: string, fraction?: number) => void;
}

/** Runs work under a notification with a Cancel button. */
export function withProgress<T>(
  title: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return Promise.resolve(
    vscode.window.withProgress(options, async (progress, token) => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      let done = 0;
      try {
        return await work({
          signal: controller.signal,
          report(message, fraction) {
            const increment = fraction === undefined ? 0 : Math.max(0, fraction * 100 - done);
            done += increment;
            progress.report({ message, increment });
          },
        });
      } catch (error) {
        if (controller.signal.aborted) throw new CancelledError();
        throw error;
      } finally {
        subscription.dispose();
      }
    }),
  );
}
