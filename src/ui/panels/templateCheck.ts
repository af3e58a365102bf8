/** What a draft is as a template: which fields hold placeholders, and what is wrong with them filled in. */
import type { Random } from '../../base/random.ts';
import { encodePayload } from '../../codec/payloadInput.ts';
import { compileTemplate, TemplateError, type TemplateScene } from '../../codec/template.ts';
import type {
  DraftProblem,
  PayloadInput,
  ProduceDraft,
  TemplateOutlook,
} from '../../shared/contracts/produce.ts';

/** A longer text is not filled in just to be looked at while somebody types. */
const longestChecked = 1024 * 1024;

interface TemplateText {
  readonly field: string;
  readonly input: PayloadInput & { readonly kind: 'text' | 'json' };
}

/** Undefined where nothing in the draft is filled in. */
export function templateOutlook(
  draft: ProduceDraft,
  problems: readonly DraftProblem[],
  now: { readonly nowMs: number; readonly random: Random },
): TemplateOutlook | undefined {
  const scene = { number: 1, ...now };
  const looked = textsOf(draft).flatMap((text) => lookAt(text, scene) ?? []);
  if (looked.length === 0) return undefined;
  const fields = looked.map(({ field }) => field);
  const filled = new Set(fields);
  return {
    fields,
    problems: [
      ...problems.filter(({ field }) => !filled.has(field)),
      ...looked.flatMap(({ field, problem }) => (problem ? { field, message: problem } : [])),
    ],
  };
}

function lookAt(
  { field, input }: TemplateText,
  scene: TemplateScene,
): { readonly field: string; readonly problem?: string } | undefined {
  try {
    const { fill, hasPlaceholders } = compileTemplate(input.text);
    if (!hasPlaceholders) return undefined;
    const encoded = encodePayload({ kind: input.kind, text: fill(scene) });
    return { field, ...('problem' in encoded && { problem: encoded.problem }) };
  } catch (error) {
    if (error instanceof TemplateError) return { field, problem: error.message };
    throw error;
  }
}

/** Where placeholders can be: as digits of hex and base64 they would be wrong. */
function textsOf(draft: ProduceDraft): TemplateText[] {
  const texts: TemplateText[] = [];
  const add = (field: string, input: PayloadInput): void => {
    if (input.kind !== 'text' && input.kind !== 'json') return;
    const { kind, text } = input;
    if (text.length <= longestChecked) texts.push({ field, input: { kind, text } });
  };
  add('key', draft.key);
  add('value', draft.value);
  draft.headers.forEach(({ key, keyForm, value }, i) => {
    add(`headers.${i}.key`, { kind: keyForm ?? 'text', text: key });
    add(`headers.${i}.value`, value);
  });
  return texts;
}
