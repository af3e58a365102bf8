import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { saslMechanisms, type SecurityProtocol } from '../../client/security.ts';
import { type ProfileColor, profileColors } from '../../cluster/model.ts';
import { bootstrapProblem, connectionNameProblem, parseBootstrap } from '../commands/validate.ts';
import { authorities, clientCertificate, passphrase, trustPassphrase } from './certificateSteps.ts';
import { type ConnectionDraft, hasSasl, hasSecret, hasTls, withSecret, withTls } from './draft.ts';
import { colorName, markColors } from './marks.ts';
import { missingOAuthSteps, oauthSteps } from './oauthSteps.ts';
import { askLine, type Option, pickOne } from './questions.ts';
import { back, type Step } from './wizard.ts';

type ConnectionStep = Step<ConnectionDraft>;

/** Every question that the draft leaves open, in order. `taken` are the names of other connections. */
export function connectionSteps(
  draft: ConnectionDraft,
  taken: readonly string[],
): readonly ConnectionStep[] {
  return [
    bootstrap,
    name(taken),
    protocol,
    ...(hasTls(draft) ? [authorities] : []),
    ...(hasTrustStore(draft) ? [trustPassphrase] : []),
    ...(hasTls(draft) ? [clientCertificate] : []),
    ...(hasTls(draft) && draft.tls.clientCertificate ? [passphrase] : []),
    ...(hasTls(draft) ? [hostName] : []),
    ...(hasSasl(draft) ? [mechanism] : []),
    ...(hasPassword(draft) ? [username, password] : []),
    ...(hasSasl(draft) && !hasPassword(draft) ? oauthSteps(draft) : []),
    access,
    mark,
  ];
}

/** What a configuration file does not say: the name, what is missing, and what may be done. */
export function importSteps(
  imported: ConnectionDraft,
  taken: readonly string[],
): readonly ConnectionStep[] {
  const needsKey = imported.tls.clientCertificate && !hasSecret(imported, 'passphrase');
  return [
    name(taken),
    ...(hasTrustStore(imported) && !hasSecret(imported, 'trustPassphrase')
      ? [trustPassphrase]
      : []),
    ...(hasTls(imported) && needsKey ? [passphrase] : []),
    ...(hasPassword(imported) && imported.username === '' ? [username] : []),
    ...(hasPassword(imported) && !hasSecret(imported, 'password') ? [password] : []),
    ...(hasSasl(imported) && !hasPassword(imported) ? missingOAuthSteps(imported) : []),
    access,
    mark,
  ];
}

function hasPassword(draft: ConnectionDraft): boolean {
  return hasSasl(draft) && draft.mechanism !== 'OAUTHBEARER';
}

function hasTrustStore(draft: ConnectionDraft): boolean {
  const { authorities: source } = draft.tls;
  return hasTls(draft) && source !== undefined && 'store' in source;
}

const bootstrap: ConnectionStep = async (draft, place) => {
  const text = await askLine(place, {
    prompt: t(
      'Bootstrap servers: host:port of at least one broker. Several are separated by commas.',
    ),
    placeholder: 'localhost:9092',
    value: draft.bootstrap.join(','),
    validate: bootstrapProblem,
  });
  return text === back ? back : { ...draft, bootstrap: parseBootstrap(text) };
};

function name(taken: readonly string[]): ConnectionStep {
  return async (draft, place) => {
    const text = await askLine(place, {
      prompt: t('A name for this connection.'),
      value: draft.name || (draft.bootstrap[0] ?? ''),
      validate: (typed) => connectionNameProblem(typed, taken),
    });
    return text === back ? back : { ...draft, name: text };
  };
}

const protocols = (): readonly Option<SecurityProtocol>[] => [
  { label: 'PLAINTEXT', detail: t('No encryption, no authentication.'), value: 'PLAINTEXT' },
  {
    label: 'SSL',
    detail: t('TLS. A client certificate may authenticate.'),
    value: 'SSL',
  },
  {
    label: 'SASL_SSL',
    detail: t('TLS and SASL: a password or a token. What most hosted clusters ask for.'),
    value: 'SASL_SSL',
  },
  {
    label: 'SASL_PLAINTEXT',
    detail: t('SASL without encryption: a password or a token.'),
    value: 'SASL_PLAINTEXT',
  },
];

const protocol: ConnectionStep = async (draft, place) => {
  const chosen = await pickOne(place, {
    placeholder: t('How is the listener protected (security.protocol)?'),
    options: protocols(),
    isCurrent: (value) => value === draft.protocol,
  });
  return chosen === back ? back : { ...draft, protocol: chosen };
};

const hostName: ConnectionStep = async (draft, place) => {
  const { serverName, checkHostName } = draft.tls;
  const chosen = await pickOne<'host' | 'other' | 'none'>(place, {
    placeholder: t('Which name has to be in the certificates of the brokers?'),
    options: [
      { label: t('The host of the address'), value: 'host' },
      { label: t('Another name...'), detail: t('Where a tunnel is in between.'), value: 'other' },
      {
        label: t('Any name: do not check'),
        detail: t('Then any server with a trusted certificate can pose as the cluster.'),
        value: 'none',
      },
    ],
    isCurrent: (value) =>
      value === (!checkHostName ? 'none' : serverName === undefined ? 'host' : 'other'),
  });
  if (chosen === back) return back;
  if (chosen !== 'other') {
    return withTls(draft, { checkHostName: chosen === 'host', serverName: undefined });
  }
  const typed = await askLine(place, {
    prompt: t('The name that is asked for (SNI) and checked.'),
    value: serverName ?? '',
    placeholder: 'kafka.example.com',
    validate: (text) =>
      /^[\w.-]+$/.test(text) ? undefined : t('A host name, such as kafka.example.com.'),
  });
  if (typed === back) return hostName(draft, place);
  return withTls(draft, { checkHostName: true, serverName: typed });
};

const mechanism: ConnectionStep = async (draft, place) => {
  const chosen = await pickOne(place, {
    placeholder: t('How to prove who you are (sasl.mechanism)?'),
    options: saslMechanisms.map((value) => ({
      label: value,
      detail:
        value === 'OAUTHBEARER'
          ? t('A token (OAuth 2.0, OpenID Connect).')
          : t('A user name with a password.'),
      value,
    })),
    isCurrent: (value) => value === draft.mechanism,
  });
  return chosen === back ? back : { ...draft, mechanism: chosen };
};

const username: ConnectionStep = async (draft, place) => {
  const text = await askLine(place, {
    prompt: t('User name.'),
    value: draft.username,
    validate: (typed) => (typed === '' ? t('A user name is needed.') : undefined),
  });
  return text === back ? back : { ...draft, username: text };
};

const password: ConnectionStep = async (draft, place) => {
  const isThere = hasSecret(draft, 'password');
  const typed = await askLine(place, {
    prompt: t('Password of {0}. It is kept in the secret store of the editor.', draft.username),
    placeholder: isThere ? t('unchanged when left empty') : '',
    isSecret: true,
    validate: (text) => (text === '' && !isThere ? t('A password is needed.') : undefined),
  });
  return typed === back ? back : withSecret(draft, 'password', typed);
};

const access: ConnectionStep = async (draft, place) => {
  const chosen = await pickOne(place, {
    placeholder: t('What may be done on this cluster?'),
    options: [
      {
        label: t('Read and write'),
        detail: t('Produce, create and delete topics, reset offsets.'),
        value: false,
      },
      {
        label: t('Read only'),
        detail: t('The workbench refuses whatever would change it.'),
        value: true,
      },
    ],
    isCurrent: (value) => value === draft.readOnly,
  });
  return chosen === back ? back : { ...draft, readOnly: chosen };
};

function markIcon(color: ProfileColor): vscode.ThemeIcon {
  return new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor(markColors[color]));
}

type Mark = Pick<ConnectionDraft, 'isProduction' | 'color'>;

const marks = (): readonly Option<Mark>[] => [
  { label: t('No mark'), value: { isProduction: false, color: undefined } },
  {
    label: t('Production'),
    iconPath: markIcon('red'),
    detail: t('Red. Whatever destroys something asks for the name of the cluster to be typed.'),
    value: { isProduction: true, color: 'red' },
  },
  ...profileColors.map((color) => ({
    label: colorName(color),
    iconPath: markIcon(color),
    value: { isProduction: false, color },
  })),
];

const mark: ConnectionStep = async (draft, place) => {
  const chosen = await pickOne(place, {
    placeholder: t('How to mark it, beside its name?'),
    options: marks(),
    isCurrent: ({ isProduction, color }) =>
      isProduction === draft.isProduction && (isProduction || color === draft.color),
  });
  return chosen === back ? back : { ...draft, ...chosen };
};
