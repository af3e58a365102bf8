/** A language, as it is handed to the tail worker and to the pages. */
import * as v from 'valibot';

export const translations = v.record(v.string(), v.string());
export const language = v.object({ tag: v.string(), words: translations });
