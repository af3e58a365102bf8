/** A whole payload as text, in a form that a page has shown it in. */
import type { DecodedPayload, PayloadForm } from '../../shared/contracts/recordDetails.ts';
import { prettyJson } from '../../shared/jsonLayout.ts';

export function payloadInForm(base64: string, decoded: DecodedPayload, form: PayloadForm): string {
  if (form === 'base64') return base64;
  const bytes = Buffer.from(base64, 'base64');
  switch (form) {
    case 'decoded':
      if (!decoded || !('text' in decoded)) return '';
      return decoded.isJson ? prettyJson(decoded.text) : decoded.text;
    case 'json':
      return prettyJson(bytes.toString('utf8'));
    case 'text':
      return bytes.toString('utf8');
    case 'hex':
      return bytes.toString('hex');
  }
}
