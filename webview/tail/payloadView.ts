/** A whole key, value or header value in the forms that it can be read in. */
import { t } from '../../src/base/l10n.ts';
import type { DecodedPayload, PayloadForm } from '../../src/shared/contracts/recordDetails.ts';
import { decodeUtf8, fromBase64, hexDump, toHex } from '../kit/bytes.ts';
import { button, iconButton } from '../kit/controls.ts';
import { fill, h } from '../kit/dom.ts';
import { formatSize } from '../kit/format.ts';
import { isJson, isJsonContainer, layOutJson, prettyJson } from '../../src/shared/jsonLayout.ts';
import { segmented } from '../kit/parts.ts';
import { type CutOptions, firstWords, restOfCut } from './restOfCut.ts';

/** Shown before a person asks for the rest. */
const FIRST_CHARACTERS = 20_000;
/** More than this a page cannot show and stay quick; it can be copied. */
const ALL_CHARACTERS_MAX = 4_000_000;

interface Decoded {
  /** Bytes in a line of a hex dump. */
  readonly perLine: 8 | 16;
  /** What it is, to who hears it. */
  readonly title: string;
  /** By the decoder that is chosen for the field. */
  readonly chosen: { readonly text: string; readonly isJson: boolean } | undefined;
  readonly base64: string;
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
  /** These are not all of them. */
  readonly cut: CutOptions | undefined;
}

/** What is written in each form, whole: for copying. */
function whole({ base64, bytes, text = '', chosen }: Decoded, form: PayloadForm): string {
  switch (form) {
    case 'decoded':
      return chosen?.isJson ? prettyJson(chosen.text) : (chosen?.text ?? '');
    case 'json':
      return prettyJson(text);
    case 'text':
      return text;
    case 'hex':
      return toHex(bytes);
    case 'base64':
      return base64;
  }
}

function availableForms({ text, chosen, cut }: Decoded): { value: PayloadForm; text: string }[] {
  const forms: { value: PayloadForm; text: string }[] = [];
  if (chosen) forms.push({ value: 'decoded', text: t('Decoded') });
  if (text !== undefined && (cut ? cut.isJson : isJson(text)))
    forms.push({ value: 'json', text: 'JSON' });
  if (text !== undefined) forms.push({ value: 'text', text: t('Text') });
  forms.push({ value: 'hex', text: 'Hex' }, { value: 'base64', text: 'Base64' });
  return forms;
}

/** A form for a payload that nobody has chosen one for. */
function defaultForm({ text, chosen, cut }: Decoded): PayloadForm {
  if (chosen) return 'decoded';
  if (text === undefined) return 'hex';
  const isContainer = cut ? cut.isJson && /^\s*[[{]/.test(text) : isJsonContainer(text);
  return isContainer ? 'json' : 'text';
}

export interface PayloadViewOptions {
  readonly title: string;
  /** Null, or the bytes in base64. */
  readonly payload: string | null;
  /** It stands in a column, in which a line is short. */
  readonly isNarrow?: boolean;
  readonly meaningOfNull: string;
  /** The form that was last chosen; used where it is possible. */
  readonly form: PayloadForm | undefined;
  readonly onForm: (form: PayloadForm) => void;
  /** Told the form that it is in, chosen or not; never for null and empty. */
  readonly onShown: (form: PayloadForm) => void;
  readonly onCopy: (text: string) => void;
  /** It is shown to its end, however long it is; a form that is chosen begins anew. */
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
  /** What the field's decoder makes of it, or why it cannot. */
  readonly decoded: DecodedPayload;
  /** The payload is the first part of what there is. */
  readonly cut: CutOptions | undefined;
  /** Chooses the decoder. */
  readonly chooser: HTMLElement;
}

export function payloadView(options: PayloadViewOptions): HTMLElement {
  const { title, payload } = options;
  if (payload === null || payload === '') return withoutBytes(options);
  const heading = h('h2', {}, title);
  const bytes = fromBase64(payload);
  const { decoded: read } = options;
  const chosen = read && 'text' in read ? read : undefined;
  const perLine = options.isNarrow ? 8 : 16;
  const { cut } = options;
  const text = cut?.isText === false ? undefined : decodeUtf8(bytes);
  const decoded: Decoded = { perLine, title, base64: payload, bytes, text, chosen, cut };
  const forms = availableForms(decoded);
  let form = forms.find(({ value }) => value === options.form)?.value ?? defaultForm(decoded);
  const body = h('div', { class: 'payload-body' });
  const draw = (all: boolean): void => {
    options.onShown(form);
    fill(body, ...content(decoded, form, all, () => drawAnew(true)));
  };
  const drawAnew = (all: boolean): void => {
    options.onWhole(all);
    draw(all);
  };
  const copy = iconButton({
    label: t('Copy {0}', title.toLowerCase()),
    icon: 'copy',
    onClick: () => (cut ? cut.onTake('clipboard', form) : options.onCopy(whole(decoded, form))),
  });
  const choice = segmented({
    label: t('{0} as', title),
    choices: forms,
    value: form,
    onChange: (next) => {
      form = next;
      options.onForm(next);
      drawAnew(false);
    },
  });
  draw(options.isWhole);
  return h(
    'section',
    { class: 'payload', 'aria-label': title },
    h(
      'div',
      { class: 'payload-head' },
      heading,
      h('span', { class: 'dim' }, sizeOf(decoded)),
      chosen?.note !== undefined && h('span', { class: 'dim' }, chosen.note),
      h('span', { class: 'spring' }),
      options.chooser,
      choice.element,
      copy.element,
    ),
    read && 'problem' in read && h('p', { class: 'payload-problem', role: 'note' }, read.problem),
    body,
  );
}

/** Of null, and of what is empty: the two are not the same. */
function withoutBytes({ title, payload, meaningOfNull, chooser }: PayloadViewOptions): HTMLElement {
  const words =
    payload === null
      ? h('span', { class: 'payload-null' }, `⌀ ${meaningOfNull}`)
      : h('span', { class: 'payload-empty' }, t('empty (0 bytes)'));
  const spring = h('span', { class: 'spring' });
  return h(
    'section',
    { class: 'payload', 'aria-label': title },
    h('div', { class: 'payload-head' }, h('h2', {}, title), words, spring, chooser),
  );
}

function sizeOf({ bytes, text, cut }: Decoded): string {
  const size = formatSize(cut?.bytes ?? bytes.length);
  return text === undefined ? t('{0}, not UTF-8', size) : size;
}

function content(decoded: Decoded, form: PayloadForm, all: boolean, showAll: () => void): Node[] {
  const limit = all ? ALL_CHARACTERS_MAX : FIRST_CHARACTERS;
  const pre = h('pre', {
    ...{ tabindex: 0, role: 'group', 'aria-label': decoded.title },
    class: `payload-text ${form}`,
  });
  const isCut =
    form === 'json' || (form === 'decoded' && decoded.chosen?.isJson)
      ? writeJson(pre, (form === 'json' ? decoded.text : decoded.chosen?.text) ?? '', limit)
      : writePlain(pre, decoded, form, limit);
  const { bytes, cut } = decoded;
  if (cut) {
    const showMore = isCut && !all ? showAll : undefined;
    return [pre, restOfCut(cut.onTake, { form, bytes: bytes.length, showMore })];
  }
  if (!isCut) return [pre];
  const rest = all
    ? h('p', { class: 'dim' }, firstWords(limit))
    : button({ label: t('Show all ({0})', formatSize(bytes.length)), onClick: showAll }).element;
  return [pre, rest];
}

/** Both return whether something was left out. */
function writePlain(pre: HTMLElement, decoded: Decoded, form: PayloadForm, limit: number): boolean {
  if (form === 'hex') {
    // A byte takes about five characters of a dump.
    const bytesMax = Math.floor(limit / 80) * 16;
    pre.textContent = hexDump(decoded.bytes.subarray(0, bytesMax), decoded.perLine);
    return decoded.bytes.length > bytesMax;
  }
  const text = whole(decoded, form);
  pre.textContent = text.slice(0, limit);
  return text.length > limit;
}

function writeJson(pre: HTMLElement, text: string, limit: number): boolean {
  let written = 0;
  for (const token of layOutJson(text)) {
    if (written >= limit) return true;
    const shown = token.text.slice(0, limit - written);
    written += token.text.length;
    pre.append(
      token.kind === 'space' || token.kind === 'punctuation'
        ? shown
        : h('span', { class: `json-${token.kind}` }, shown),
    );
  }
  return written > limit;
}
