/** What a client says first with SCRAM. [RFC 5802 7, ScramMessages.ClientFirstMessage] */
export interface ClientFirst {
  readonly user: string;
  /** Empty: the client asks for no identity but its own. */
  readonly authorizationId: string;
  readonly nonce: string;
  /** The client comes with a delegation token. [KIP-48] */
  readonly isOfToken: boolean;
  /** What both sides sign of it. */
  readonly bare: string;
}

/** What it says last. [ScramMessages.ClientFinalMessage] */
export interface ClientFinal {
  readonly nonce: string;
  readonly proof: Buffer;
  readonly bare: string;
}

/** Neither `=` nor `,` but as `=3D` and `=2C`. */
const saslName = String.raw`(?:[\x01-\x2b\x2d-\x3c\x3e-\x7f]|=2C|=3D)+`;
const value = String.raw`[\x01-\x2b\x2d-\x7f]+`;
const printable = String.raw`[\x21-\x2b\x2d-\x7e]+`;
const base64 = '(?:[a-zA-Z0-9/+]{4})*(?:[a-zA-Z0-9/+]{3}=|[a-zA-Z0-9/+]{2}==)?';
const extensions = `(?:,[A-Za-z]+=${value})*`;

const first = new RegExp(
  `^n,(?:a=(?<authorization>${saslName}))?,(?:m=${value},)?(?<bare>n=(?<name>${saslName}),r=(?<nonce>${printable})(?<extensions>${extensions}))$`,
);
const final = new RegExp(
  `^c=(?<binding>${base64}),r=(?<nonce>${printable})${extensions},p=(?<proof>${base64})$`,
);

/** Reads `n,,n=USER,r=NONCE` with extensions; undefined where it is something else. */
export function parseClientFirst(message: string): ClientFirst | undefined {
  const groups = first.exec(message)?.groups;
  if (groups === undefined) return undefined;
  const { authorization = '', bare = '', name = '', nonce = '', extensions: more = '' } = groups;
  return {
    bare,
    nonce,
    authorizationId: authorization,
    user: name.replaceAll('=2C', ',').replaceAll('=3D', '='),
    isOfToken: isOfToken(more),
  };
}

/**
 * Whether the last extension of that very name says true, in small letters or others.
 * [ScramExtensions.tokenAuthenticated, Utils.parseMap]
 */
function isOfToken(extensions: string): boolean {
  const last = extensions.split(',').findLast((extension) => extension.startsWith('tokenauth='));
  return last?.toLowerCase() === 'tokenauth=true';
}

/**
 * Reads `c=BINDING,r=NONCE,p=PROOF`; undefined where it is something else. What is between nonce and proof counts for
 * nothing, not even in what is signed, and any binding is taken.
 */
export function parseClientFinal(message: string): ClientFinal | undefined {
  const groups = final.exec(message)?.groups;
  if (groups === undefined) return undefined;
  const { binding = '', nonce = '', proof = '' } = groups;
  const bound = Buffer.from(binding, 'base64').toString('base64');
  return { nonce, proof: Buffer.from(proof, 'base64'), bare: `c=${bound},r=${nonce}` };
}
