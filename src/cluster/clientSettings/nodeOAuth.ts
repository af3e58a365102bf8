import type { ClientCredentialsProfile, OAuthProfile } from '../connections/profileSecurity.ts';
import { endpointAuthorityFile, variables } from './facts.ts';
import { quote } from './nodeText.ts';

/** kafkajs asks a function of ours for each token. */
export function nodeOAuthOptions({ token, extensions }: OAuthProfile): string[] {
  const beside = extensions ? `, extensions: ${objectText(extensions)}` : '';
  switch (token.kind) {
    case 'fixed':
      return [
        `oauthBearerProvider: async () => ({ value: process.env.${variables.token}${beside} }),`,
      ];
    case 'unsecured':
      return unsecuredLines(token.principal, token.scope, beside);
    case 'clientCredentials':
      return issuedLines(token, beside);
  }
}

function issuedLines(token: ClientCredentialsProfile, beside: string): string[] {
  const { tokenUrl, clientId, scope, fields, encodesHeader } = token;
  const form = { ...fields, grant_type: 'client_credentials', ...(scope && { scope }) };
  const secret = `process.env.${variables.clientSecret}`;
  const pair = encodesHeader
    ? `${quote(encodeURIComponent(clientId))} + ':' + encodeURIComponent(${secret})`
    : `${quote(`${clientId}:`)} + ${secret}`;
  const authority = endpointAuthorityFile(token);
  return [
    ...(authority ? [`// Start Node with NODE_EXTRA_CA_CERTS=${authority}`] : []),
    'oauthBearerProvider: async () => {',
    `  const response = await fetch(${quote(tokenUrl)}, {`,
    "    method: 'POST',",
    '    headers: {',
    `      Authorization: 'Basic ' + Buffer.from(${pair}).toString('base64'),`,
    '    },',
    `    body: new URLSearchParams(${objectText(form)}),`,
    '  });',
    '  const { access_token: value } = await response.json();',
    `  return { value${beside} };`,
    '},',
  ];
}

function unsecuredLines(principal: string, scope: string | undefined, beside: string): string[] {
  const scopes = scope?.split(' ').filter(Boolean).map(quote).join(', ');
  const claims = [`sub: ${quote(principal)}`, 'iat', 'exp: iat + 3600'];
  if (scopes) claims.push(`scope: [${scopes}]`);
  return [
    'oauthBearerProvider: async () => {',
    '  const iat = Math.floor(Date.now() / 1000);',
    "  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');",
    `  const claims = { ${claims.join(', ')} };`,
    "  return { value: `${part({ alg: 'none' })}.${part(claims)}.`" + `${beside} };`,
    '},',
  ];
}

function objectText(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(
    ([name, value]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : quote(name)}: ${quote(value)}`,
  );
  return `{ ${pairs.join(', ')} }`;
}
