import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { CancelledError } from '../commands/prompts.ts';
import { type Back, back, type StepPlace } from './wizard.ts';

/** Questions with a back button and a step count, which `showInputBox` and `showQuickPick` do not have. */

export interface LineQuestion {
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  /** Shows dots instead of what is typed, and keeps blanks at its ends. */
  readonly isSecret?: boolean;
  /** What is wrong with the text, or undefined. */
  readonly validate?: (text: string) => string | undefined;
}

export async function askLine(place: StepPlace, question: LineQuestion): Promise<string | Back> {
  const { prompt, value = '', placeholder = '', isSecret = false, validate } = question;
  const input = vscode.window.createInputBox();
  const text = (): string => (isSecret ? input.value : input.value.trim());
  Object.assign(input, { prompt, value, placeholder, password: isSecret });
  return answerTo<string>(input, place, (accept) => [
    input.onDidChangeValue(() => (input.validationMessage = validate?.(text()) ?? '')),
    input.onDidAccept(() => {
      const problem = validate?.(text());
      input.validationMessage = problem ?? '';
      if (problem === undefined) accept(text());
    }),
  ]);
}

export interface Option<T> extends vscode.QuickPickItem {
  readonly value: T;
}

export interface PickQuestion<T> {
  readonly placeholder: string;
  readonly options: readonly Option<T>[];
  /** Which is as it is now. */
  readonly isCurrent?: (value: T) => boolean;
}

export async function pickOne<T>(place: StepPlace, question: PickQuestion<T>): Promise<T | Back> {
  const { placeholder, options, isCurrent } = question;
  const pick = vscode.window.createQuickPick<Option<T>>();
  pick.placeholder = placeholder;
  pick.items = options;
  pick.activeItems = options.filter(({ value }) => isCurrent?.(value)).slice(0, 1);
  return answerTo<T>(pick, place, (accept) => [
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen) accept(chosen.value);
    }),
  ]);
}

type AnyInput = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

function answerTo<T>(
  input: AnyInput,
  { title, step, totalSteps }: StepPlace,
  wire: (accept: (value: T) => void) => vscode.Disposable[],
): Promise<T | Back> {
  Object.assign(input, { title, step, totalSteps, ignoreFocusOut: true });
  input.buttons = step > 1 ? [vscode.QuickInputButtons.Back] : [];
  const wiring = new DisposableStore();
  wiring.add(input);
  const answer = new Promise<T | Back>((resolve, reject) => {
    for (const subscription of wire(resolve)) wiring.add(subscription);
    wiring.add(input.onDidTriggerButton(() => resolve(back)));
    wiring.add(input.onDidHide(() => reject(new CancelledError())));
  });
  input.show();
  return answer.finally(() => wiring.dispose());
}
