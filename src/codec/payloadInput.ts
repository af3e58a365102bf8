import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import type { PayloadInput } from '../shared/contracts/produce.ts';

/** The bytes of what a person typed, or why there are none. Null is a payload: Kafka's null. */
export type EncodedPayload = { readonly bytes: Buffer | null } | { readonly problem: string };

/** Encodes what was typed, exactly as it was typed: JSON is checked and not rewritten. */
export function encodePayload(input: PayloadInput): EncodedPayload {
  switch (input.kind) {
    case 'null':
      return { bytes: null };
    case 'text':
      return encodeText(input.text);
    case 'json':
      return encodeJson(input.text);
    case 'hex':
      return encodeHex(input.text);
    case 'base64':
      return encodeBase64(input.text);
  }
}

function encodeText(text: string): EncodedPayload {
  if (text.isWellFormed()) return { bytes: Buffer.from(text) };
  return { problem: t('this holds half of a character, which UTF-8 cannot encode') };
}

function encodeJson(text: string): EncodedPayload {
  try {
    JSON.parse(text);
    return encodeText(text);
  } catch (error) {
    const isEmpty = text.trim() === '';
    return { problem: isEmpty ? t('this is empty, which is not JSON') : errorMessage(error) };
  }
}

function encodeHex(text: string): EncodedPayload {
  const digits = text.replaceAll(/\s|:/g, '').replace(/^0x/i, '');
  const wrong = /[^0-9a-f]/i.exec(digits);
  if (wrong) return { problem: t('“{0}” is not a hexadecimal digit', wrong[0]) };
  if (digits.length % 2 !== 0) {
    return {
      problem: t('{0} digits are not whole bytes: there is one too many or too few', digits.length),
    };
  }
  return { bytes: Buffer.from(digits, 'hex') };
}

/** Both alphabets; padding may be left out, but not be wrong. */
function encodeBase64(text: string): EncodedPayload {
  const compact = text.replaceAll(/\s/g, '');
  const digits = compact.replace(/={0,2}$/, '');
  const wrong = /[^\w+/-]/.exec(digits);
  if (wrong) return { problem: t('“{0}” is not a base64 digit', wrong[0]) };
  const isPadded = compact.length > digits.length;
  if (digits.length % 4 === 1 || (isPadded && compact.length % 4 !== 0)) {
    return { problem: t('{0} characters are not whole bytes of base64', compact.length) };
  }
  return { bytes: Buffer.from(digits, 'base64') };
}
