/** A header's key or value as one line. */
import { t } from '../../src/base/l10n.ts';
import type {
  CutPayload,
  DecodedPayload,
  PayloadForm,
} from '../../src/shared/contracts/recordDetails.ts';
import { decodeUtf8, fromBase64, toHex } from '../kit/bytes.ts';
import { formatSize, oneLine } from '../kit/format.ts';

export interface HeaderText {
  readonly kind: 'null' | 'empty' | 'decoded' | 'failed' | 'binary' | 'text';
  readonly form: PayloadForm;
  readonly text: string;
  /** How large it is. */
  readonly title?: string;
}

export function headerText(
  payload: string | null,
  of: { readonly decoded?: DecodedPayload; readonly cut?: CutPayload | undefined } = {},
): HeaderText {
  if (payload === null) return { kind: 'null', form: 'text', text: '⌀ null' };
  if (payload === '') return { kind: 'empty', form: 'text', text: t('empty') };
  const { decoded, cut } = of;
  const bytes = fromBase64(payload);
  const title = formatSize(cut?.bytes ?? bytes.length);
  const more = cut ? '…' : '';
  if (decoded && 'text' in decoded) {
    return { kind: 'decoded', form: 'decoded', text: oneLine(decoded.text) + more, title };
  }
  const hex = (): string => `hex ${toHex(bytes)}${more}`;
  if (decoded) {
    return { kind: 'failed', form: 'hex', text: `${decoded.problem} · ${hex()}`, title };
  }
  // The first part of what is no text may happen to be some.
  const text = cut?.isText === false ? undefined : decodeUtf8(bytes);
  return text === undefined
    ? { kind: 'binary', form: 'hex', text: hex(), title }
    : { kind: 'text', form: 'text', text: oneLine(text) + more, title };
}
