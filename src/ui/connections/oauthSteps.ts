import { t } from '../../base/l10n.ts';
import { tokenSecrets } from '../../cluster/connections/profileSecrets.ts';
import type {
  ClientCredentialsProfile,
  TokenProfile,
} from '../../cluster/connections/profileSecurity.ts';
import { askAuthorities, askPassphrase } from './certificateSteps.ts';
import { type ConnectionDraft, hasSecret, withoutSecrets, withSecret } from './draft.ts';
import { pairsProblem, pairsText, parsePairs } from './pairs.ts';
import { askLine, type Option, pickOne } from './questions.ts';
import { back, type Step } from './wizard.ts';

type ConnectionStep = Step<ConnectionDraft>;

/** Every question about the token of OAUTHBEARER, in order. */
export function oauthSteps(draft: ConnectionDraft): readonly ConnectionStep[] {
  return [kind, ...stepsOfKind[draft.token.kind](draft), extensions];
}

/** Those that an import leaves open. */
export function missingOAuthSteps(draft: ConnectionDraft): readonly ConnectionStep[] {
  const { token } = draft;
  const isIssued = token.kind === 'clientCredentials';
  const needs = (name: 'clientSecret' | 'token' | 'endpointPassphrase'): boolean =>
    tokenSecrets(token).includes(name) && !hasSecret(draft, name);
  return [
    ...(isIssued && token.tokenUrl === '' ? [tokenUrl] : []),
    ...(isIssued && token.clientId === '' ? [clientId] : []),
    ...(needs('clientSecret') ? [clientSecret] : []),
    ...(needs('token') ? [fixedToken] : []),
    ...(needs('endpointPassphrase') ? [endpointPassphrase] : []),
  ];
}

const stepsOfKind: Readonly<
  Record<TokenProfile['kind'], (draft: ConnectionDraft) => readonly ConnectionStep[]>
> = {
  clientCredentials: (draft) => {
    const issuer = issuerOf(draft);
    const isEncrypted = issuer.tokenUrl.startsWith('https:');
    const hasStore = issuer.authorities !== undefined && 'store' in issuer.authorities;
    return [
      tokenUrl,
      clientId,
      clientSecret,
      scope,
      fields,
      ...(isEncrypted ? [endpointAuthorities] : []),
      ...(isEncrypted && hasStore ? [endpointPassphrase] : []),
    ];
  },
  fixed: () => [fixedToken],
  unsecured: () => [principal, scope],
};

const emptyTokens: Readonly<{ [K in TokenProfile['kind']]: TokenProfile & { kind: K } }> = {
  clientCredentials: { kind: 'clientCredentials', tokenUrl: '', clientId: '' },
  fixed: { kind: 'fixed' },
  unsecured: { kind: 'unsecured', principal: '' },
};

const kind: ConnectionStep = async (draft, place) => {
  const options: readonly Option<TokenProfile['kind']>[] = [
    {
      label: t('A token endpoint'),
      detail: t('Issues tokens to an application with an id and a secret (client credentials).'),
      value: 'clientCredentials',
    },
    {
      label: t('A token that I have'),
      detail: t('Used as it is until it is over.'),
      value: 'fixed',
    },
    {
      label: t('A token that nobody signs'),
      detail: t('For brokers in development that take such, as the embedded one may.'),
      value: 'unsecured',
    },
  ];
  const chosen = await pickOne(place, {
    placeholder: t('Where does the token come from?'),
    options,
    isCurrent: (value) => value === draft.token.kind,
  });
  if (chosen === back) return back;
  return chosen === draft.token.kind ? draft : { ...draft, token: emptyTokens[chosen] };
};

const tokenUrl: ConnectionStep = async (draft, place) => {
  const text = await askLine(place, {
    prompt: t('Address of the token endpoint (sasl.oauthbearer.token.endpoint.url).'),
    placeholder: 'https://login.example.com/oauth2/token',
    value: issuerOf(draft).tokenUrl,
    validate: (typed) =>
      /^https?:$/.test(URL.parse(typed)?.protocol ?? '')
        ? undefined
        : t('An address that begins with https:// or http://.'),
  });
  return text === back ? back : withIssuer(draft, { tokenUrl: text });
};

const clientId: ConnectionStep = async (draft, place) => {
  const text = await askLine(place, {
    prompt: t('Client id: what the token endpoint knows the application by.'),
    value: issuerOf(draft).clientId,
    validate: (typed) => (typed === '' ? t('A client id is needed.') : undefined),
  });
  return text === back ? back : withIssuer(draft, { clientId: text });
};

const clientSecret: ConnectionStep = async (draft, place) => {
  const isThere = hasSecret(draft, 'clientSecret');
  const typed = await askLine(place, {
    prompt: t('Client secret. It is kept in the secret store of the editor.'),
    placeholder: isThere ? t('unchanged when left empty') : '',
    isSecret: true,
    validate: (text) => (text === '' && !isThere ? t('A client secret is needed.') : undefined),
  });
  return typed === back ? back : withSecret(draft, 'clientSecret', typed);
};

const fixedToken: ConnectionStep = async (draft, place) => {
  const isThere = hasSecret(draft, 'token');
  const typed = await askLine(place, {
    prompt: t('Token. It is kept in the secret store of the editor.'),
    placeholder: isThere ? t('unchanged when left empty') : '',
    isSecret: true,
    validate: (text) =>
      (text === '' && isThere) || /^\s*[-_~+/.a-zA-Z0-9]+=*\s*$/.test(text)
        ? undefined
        : t('A token is letters, digits and dots, without blanks within.'),
  });
  return typed === back ? back : withSecret(draft, 'token', typed.trim());
};

const scope: ConnectionStep = async (draft, place) => {
  const { token } = draft;
  if (token.kind === 'fixed') return draft;
  const text = await askLine(place, {
    prompt: t('Scope, where one is asked for. Several are separated by blanks.'),
    placeholder: t('none when left empty'),
    value: token.scope ?? '',
  });
  if (text === back) return back;
  return { ...draft, token: withOptional(token, 'scope', text === '' ? undefined : text) };
};

const fields: ConnectionStep = async (draft, place) => {
  const issuer = issuerOf(draft);
  const text = await askLine(place, {
    prompt: t('More fields of the token request, where the endpoint asks for some.'),
    placeholder: 'audience=kafka,resource=orders',
    value: pairsText(issuer.fields),
    validate: pairsProblem,
  });
  if (text === back) return back;
  const pairs = text === '' ? undefined : parsePairs(text);
  return { ...draft, token: withOptional(issuer, 'fields', pairs) };
};

const principal: ConnectionStep = async (draft, place) => {
  const current = draft.token.kind === 'unsecured' ? draft.token : emptyTokens.unsecured;
  const text = await askLine(place, {
    prompt: t('User name that the token says.'),
    value: current.principal,
    validate: (typed) => (typed === '' ? t('A user name is needed.') : undefined),
  });
  return text === back ? back : { ...draft, token: { ...current, principal: text } };
};

const extensions: ConnectionStep = async (draft, place) => {
  const text = await askLine(place, {
    prompt: t('Extensions that brokers are told beside the token, where they ask for some.'),
    placeholder: 'logicalCluster=lkc-1, identityPoolId=pool-1',
    value: pairsText(draft.extensions),
    validate: pairsProblem,
  });
  if (text === back) return back;
  return { ...draft, extensions: text === '' ? undefined : parsePairs(text) };
};

const endpointAuthorities: ConnectionStep = (draft, place) => {
  const { authorities, ...rest } = issuerOf(draft);
  return askAuthorities(draft, place, {
    placeholder: t('Whose certificates to trust for the token endpoint?'),
    current: authorities,
    chosen: (source) => ({
      ...withoutSecrets(draft, 'endpointPassphrase'),
      token: source ? { ...rest, authorities: source } : rest,
    }),
  });
};

const endpointPassphrase: ConnectionStep = (draft, place) =>
  askPassphrase(draft, place, {
    name: 'endpointPassphrase',
    prompt: t('Passphrase of the trust store. It is kept in the secret store of the editor.'),
  });

/** With a part that may be there or not. */
function withOptional<T extends object, N extends keyof T>(
  whole: T,
  name: N,
  value: T[N] | undefined,
): T {
  const parts = Object.entries({ ...whole, [name]: value });
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined)) as T;
}

function issuerOf({ token }: ConnectionDraft): ClientCredentialsProfile {
  return token.kind === 'clientCredentials' ? token : emptyTokens.clientCredentials;
}

function withIssuer(
  draft: ConnectionDraft,
  change: Partial<Pick<ClientCredentialsProfile, 'tokenUrl' | 'clientId'>>,
): ConnectionDraft {
  return { ...draft, token: { ...issuerOf(draft), ...change } };
}
