/** A draft as a template: the same fields, filled in anew for every record. */
import type { Random } from '../../base/random.ts';
import { compileTemplate, type TemplateScene } from '../../codec/template.ts';
import type { PayloadInput, ProduceDraft } from '../../shared/contracts/produce.ts';

type Fill<T> = (scene: TemplateScene) => T;

/** Only text can have placeholders: in hex and base64 they would be wrong digits. */
function payloadTemplate(input: PayloadInput): Fill<PayloadInput> {
  if (input.kind !== 'text' && input.kind !== 'json') return () => input;
  const { kind } = input;
  const { fill } = compileTemplate(input.text);
  return (scene) => ({ kind, text: fill(scene) });
}

/** Throws a TemplateError. */
export function draftTemplate(draft: ProduceDraft): Fill<ProduceDraft> {
  const key = payloadTemplate(draft.key);
  const value = payloadTemplate(draft.value);
  const headers = draft.headers.map((header) => ({
    // As with payloads, what is written in digits has no placeholders.
    key: header.keyForm ? () => header.key : compileTemplate(header.key).fill,
    value: payloadTemplate(header.value),
  }));
  return (scene) => ({
    ...draft,
    key: key(scene),
    value: value(scene),
    headers: headers.map((header, index) => ({
      ...draft.headers[index],
      key: header.key(scene),
      value: header.value(scene),
    })),
  });
}

/** The first `count` drafts that a template makes, or as many as are asked for. */
export function* filledDrafts(
  draft: ProduceDraft,
  count: number,
  { nowMs, random }: { readonly nowMs: () => number; readonly random: Random },
): Generator<ProduceDraft> {
  const fill = draftTemplate(draft);
  for (let number = 1; number <= count; number++) yield fill({ number, nowMs: nowMs(), random });
}
