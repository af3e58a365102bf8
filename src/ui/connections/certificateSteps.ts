import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { certificatesIn, privateKeyIn } from '../../cluster/connections/pem.ts';
import type { SecretName } from '../../cluster/connections/profileSecrets.ts';
import type {
  AuthoritySource,
  ClientCertificateProfile,
} from '../../cluster/connections/profileSecurity.ts';
import { type ConnectionDraft, hasSecret, withoutSecrets, withSecret, withTls } from './draft.ts';
import { askLine, type Option, pickOne } from './questions.ts';
import { type Back, back, type Step, type StepPlace } from './wizard.ts';

/** Reads the answer to a question, which may be "not now": then the question is asked again. */
type Answer = () => Promise<ConnectionDraft | undefined>;

export const authorities: Step<ConnectionDraft> = (draft, place) =>
  askAuthorities(draft, place, {
    placeholder: t('Whose certificates to trust?'),
    current: draft.tls.authorities,
    chosen: (source) => withTls(withoutSecrets(draft, 'trustPassphrase'), { authorities: source }),
  });

interface AuthorityQuestion {
  readonly placeholder: string;
  readonly current: AuthoritySource | undefined;
  /** The draft with another answer; undefined: what the system trusts. */
  readonly chosen: (source: AuthoritySource | undefined) => ConnectionDraft;
}

export async function askAuthorities(
  draft: ConnectionDraft,
  place: StepPlace,
  { placeholder, current, chosen }: AuthorityQuestion,
): Promise<ConnectionDraft | Back> {
  const options: Option<Answer>[] = [
    ...(current
      ? [{ label: t('As now'), description: sourceName(current), value: always(draft) }]
      : []),
    {
      label: t('Authorities that this system trusts'),
      detail: t("Mozilla's list, and what the administrator of this machine has added."),
      value: always(chosen(undefined)),
    },
    {
      label: t('A file in PEM...'),
      detail: t('The certificate of the authority that signed those of the brokers.'),
      value: async () => {
        const file = await chooseFile(t('Trust these certificates'), pemFiles());
        return file === undefined ? undefined : chosen({ file });
      },
    },
    {
      label: t('A Java trust store...'),
      detail: t('In PKCS12 or JKS: ssl.truststore.location of a Java client.'),
      value: async () => {
        const store = await chooseFile(t('Trust what is in this store'), storeFiles());
        return store === undefined ? undefined : chosen({ store });
      },
    },
    {
      label: t('PEM text in the clipboard'),
      value: async () => {
        const pem = certificatesIn(await vscode.env.clipboard.readText());
        if (pem === undefined)
          return nothingInClipboard(
            t(
              'There is no certificate in PEM in the clipboard. Copy the text with its BEGIN and END lines first.',
            ),
          );
        return chosen({ pem });
      },
    },
  ];
  for (;;) {
    const answer = await pickOne(place, { placeholder, options });
    if (answer === back) return back;
    const changed = await answer();
    if (changed) return changed;
  }
}

export const clientCertificate: Step<ConnectionDraft> = async (draft, place) => {
  const current = draft.tls.clientCertificate;
  // A passphrase is of one key, and useless with another.
  const chosen = (own: ClientCertificateProfile | undefined): ConnectionDraft =>
    withTls(withoutSecrets(draft, 'passphrase', 'privateKey'), { clientCertificate: own });
  const options: Option<Answer>[] = [
    ...(current
      ? [{ label: t('As now'), description: certificateName(current), value: always(draft) }]
      : []),
    {
      label: t('No client certificate'),
      detail: t('Unless the brokers ask for one (ssl.client.auth).'),
      value: always(chosen(undefined)),
    },
    {
      label: t('Certificate and key in PEM files...'),
      value: async () => {
        const file = await chooseFile(t('Use this certificate'), pemFiles());
        if (file === undefined) return undefined;
        const keyFile = await chooseFile(t('Use this private key'), keyFiles());
        if (keyFile === undefined) return undefined;
        return chosen({ kind: 'pem', certificate: { file }, keyFile });
      },
    },
    {
      label: t('PKCS12 or JKS store...'),
      detail: t('A .p12 or .pfx file with certificate and key.'),
      value: async () => {
        const file = await chooseFile(t('Use this store'), storeFiles());
        return file === undefined ? undefined : chosen({ kind: 'pkcs12', file });
      },
    },
    {
      label: t('Certificate and key as PEM text in the clipboard'),
      detail: t('The key goes to the secret store of the editor.'),
      value: async () => {
        const text = await vscode.env.clipboard.readText();
        const pem = certificatesIn(text);
        const privateKey = privateKeyIn(text);
        if (pem === undefined || privateKey === undefined) {
          return nothingInClipboard(
            t(
              'There is no certificate with a private key in PEM in the clipboard. Copy the text with its BEGIN and END lines first.',
            ),
          );
        }
        return withSecret(chosen({ kind: 'pem', certificate: { pem } }), 'privateKey', privateKey);
      },
    },
  ];
  for (;;) {
    const answer = await pickOne(place, {
      placeholder: t('Which certificate to show to the brokers?'),
      options,
    });
    if (answer === back) return back;
    const changed = await answer();
    if (changed) return changed;
  }
};

export const passphrase: Step<ConnectionDraft> = (draft, place) => {
  const isStore = draft.tls.clientCertificate?.kind === 'pkcs12';
  const prompt = isStore
    ? t('Passphrase of the key store. It is kept in the secret store of the editor.')
    : t('Passphrase of the private key. It is kept in the secret store of the editor.');
  return askPassphrase(draft, place, { name: 'passphrase', prompt });
};

export const trustPassphrase: Step<ConnectionDraft> = (draft, place) =>
  askPassphrase(draft, place, {
    name: 'trustPassphrase',
    prompt: t('Passphrase of the trust store. It is kept in the secret store of the editor.'),
  });

export async function askPassphrase(
  draft: ConnectionDraft,
  place: StepPlace,
  { name, prompt }: { readonly name: SecretName; readonly prompt: string },
): Promise<ConnectionDraft | Back> {
  const typed = await askLine(place, {
    prompt,
    placeholder: hasSecret(draft, name)
      ? t('unchanged when left empty')
      : t('none when left empty'),
    isSecret: true,
  });
  return typed === back ? back : withSecret(draft, name, typed);
}

type Filters = Readonly<Record<string, string[]>>;

const pemFiles = (): Filters => ({
  [t('Certificates in PEM')]: ['pem', 'crt', 'cer', 'cert'],
  ...allFiles(),
});
const keyFiles = (): Filters => ({ [t('Private keys in PEM')]: ['pem', 'key'], ...allFiles() });
const storeFiles = (): Filters => ({
  [t('PKCS12 and JKS stores')]: ['p12', 'pfx', 'jks', 'keystore'],
  ...allFiles(),
});
const allFiles = (): Filters => ({ [t('All files')]: ['*'] });

async function chooseFile(openLabel: string, filters: Filters): Promise<string | undefined> {
  const options = { title: openLabel, openLabel, filters, canSelectMany: false };
  return (await vscode.window.showOpenDialog(options))?.[0]?.fsPath;
}

async function nothingInClipboard(message: string): Promise<undefined> {
  await vscode.window.showWarningMessage(message);
  return undefined;
}

function always(draft: ConnectionDraft): Answer {
  return () => Promise.resolve(draft);
}

function sourceName(source: AuthoritySource): string {
  if ('store' in source) return source.store;
  return 'file' in source ? source.file : t('certificates as text');
}

function certificateName(own: ClientCertificateProfile): string {
  return own.kind === 'pkcs12' ? own.file : sourceName(own.certificate);
}
