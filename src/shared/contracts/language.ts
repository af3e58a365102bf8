/** A language, as it is handed to the tail worker and to the pages. */
import * as v from 'valibot';
import { text, words } from './common.ts';

export const translations = v.record(words, words);
export const language = v.object({ tag: text(100), words: translations });
