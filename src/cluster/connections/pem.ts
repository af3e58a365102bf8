/**
 * The certificates in a text, and nothing else of it, each with its lines as PEM has them: a text from a
 * clipboard or a properties file may have lost its line breaks, or hold a private key too. Undefined: none.
 */
export function certificatesIn(text: string): string | undefined {
  return blocks(text, /^CERTIFICATE$/);
}

/** The private key in a text, encrypted or not. Undefined: there is none. */
export function privateKeyIn(text: string): string | undefined {
  return blocks(text, /PRIVATE KEY$/);
}

function blocks(text: string, label: RegExp): string | undefined {
  const found = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g)]
    .filter(([, name = '']) => label.test(name))
    .map(
      ([, name, body = '']) => `-----BEGIN ${name}-----\n${wrapped(body)}\n-----END ${name}-----\n`,
    );
  return found.length === 0 ? undefined : found.join('');
}

/** Old encrypted keys have headers (RFC 1421), which end with an empty line: those are kept as they are. */
function wrapped(body: string): string {
  if (body.includes(':')) return body.trim();
  return (body.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? []).join('\n');
}
