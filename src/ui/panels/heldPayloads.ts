/** Payloads that are too large for a form: the page names them, and they are sent byte for byte from here. */
import { t } from '../../base/l10n.ts';
import {
  type DraftProblem,
  type FormDraft,
  type FormPayload,
  isTooLargeForForm,
  type PayloadInput,
  type ProduceDraft,
} from '../../shared/contracts/produce.ts';
import { payloadBytes } from './payloadBytes.ts';

/** What one panel keeps for its form, by ids that no other panel and no earlier window gave. */
export class HeldPayloads {
  readonly #newId: () => string;
  readonly #held = new Map<string, PayloadInput>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The draft for a form that begins anew with it: what was kept for the draft before is let go. */
  take(draft: FormDraft): FormDraft {
    const before = new Map(this.#held);
    this.#held.clear();
    return { ...draft, key: this.#hold(draft.key, before), value: this.#hold(draft.value, before) };
  }

  /** What is wrong with the fields of which nothing is kept: the window in which they were read is closed. */
  problemsOf({ key, value }: FormDraft): DraftProblem[] {
    const fields = Object.entries({ key, value });
    return fields
      .filter(([, payload]) => payload.kind === 'held' && !this.#held.has(payload.id))
      .map(([field]) => ({ field, message: lostWords() }));
  }

  /** The whole draft. Throws, in words, where something of it is not kept any more. */
  whole(draft: FormDraft): ProduceDraft {
    return { ...draft, key: this.#given(draft.key), value: this.#given(draft.value) };
  }

  #hold(payload: FormPayload, before: ReadonlyMap<string, PayloadInput>): FormPayload {
    if (payload.kind === 'null') return payload;
    if (payload.kind === 'held') {
      const kept = before.get(payload.id);
      if (kept) this.#held.set(payload.id, kept);
      return payload;
    }
    if (!isTooLargeForForm(payload.text)) return payload;
    const encoded = payloadBytes(payload);
    const sizeBytes = 'bytes' in encoded ? (encoded.bytes?.length ?? 0) : payload.text.length;
    const id = this.#newId();
    this.#held.set(id, payload);
    return { kind: 'held', id, sizeBytes };
  }

  #given(payload: FormPayload): PayloadInput {
    if (payload.kind !== 'held') return payload;
    const held = this.#held.get(payload.id);
    if (!held) throw new Error(lostWords());
    return held;
  }
}

function lostWords(): string {
  return t('These bytes are not kept any more. Open the record again, or remove them.');
}
