import * as vscode from 'vscode';
import { certificatesIn, privateKeyIn } from '../../cluster/pem.ts';
import type { SecretName } from '../../cluster/profileSecrets.ts';
import type { AuthoritySource, ClientCertificateProfile } from '../../cluster/profileSecurity.ts';
import { type ConnectionDraft, hasSecret, withoutSecrets, withSecret, withTls } from './draft.ts';
import { askLine, type Option, pickOne } from './questions.ts';
import { type Back, back, type Step, type StepPlace } from './wizard.ts';

/** Reads the answer to a question, which may be "not now": then the question is asked again. */
type Answer = () => Promise<ConnectionDraft | undefined>;

export const authorities: Step<ConnectionDraft> = async (draft, place) => {
  const current = draft.tls.authorities;
  const chosen = (source: AuthoritySource | undefined): ConnectionDraft =>
    withTls(withoutSecrets(draft, 'trustPassphrase'), { authorities: source });
  const options: Option<Answer>[] = [
    ...(current
      ? [{ label: 'As now', description: sourceName(current), value: always(draft) }]
      : []),
    {
      label: 'Authorities that this system trusts',
      detail: "Mozilla's list, and what the administrator of this machine has added.",
      value: always(chosen(undefined)),
    },
    {
      label: 'A file in PEM...',
      detail: 'The certificate of the authority that signed those of the brokers.',
      value: async () => {
        const file = await chooseFile('Trust these certificates', pemFiles);
        return file === undefined ? undefined : chosen({ file });
      },
    },
    {
      label: 'A Java trust store...',
      detail: 'In PKCS12 or JKS: ssl.truststore.location of a Java client.',
      value: async () => {
        const store = await chooseFile('Trust what is in this store', storeFiles);
        return store === undefined ? undefined : chosen({ store });
      },
    },
    {
      label: 'PEM text in the clipboard',
      value: async () => {
        const pem = certificatesIn(await vscode.env.clipboard.readText());
        if (pem === undefined) return nothingInClipboard('certificate');
        return chosen({ pem });
      },
    },
  ];
  for (;;) {
    const answer = await pickOne(place, { placeholder: 'Whose certificates to trust?', options });
    if (answer === back) return back;
    const changed = await answer();
    if (changed) return changed;
  }
};

export const clientCertificate: Step<ConnectionDraft> = async (draft, place) => {
  const current = draft.tls.clientCertificate;
  // A passphrase is of one key, and useless with another.
  const chosen = (own: ClientCertificateProfile | undefined): ConnectionDraft =>
    withTls(withoutSecrets(draft, 'passphrase', 'privateKey'), { clientCertificate: own });
  const options: Option<Answer>[] = [
    ...(current
      ? [{ label: 'As now', description: certificateName(current), value: always(draft) }]
      : []),
    {
      label: 'No client certificate',
      detail: 'Unless the brokers ask for one (ssl.client.auth).',
      value: always(chosen(undefined)),
    },
    {
      label: 'Certificate and key in PEM files...',
      value: async () => {
        const file = await chooseFile('Use this certificate', pemFiles);
        if (file === undefined) return undefined;
        const keyFile = await chooseFile('Use this private key', keyFiles);
        if (keyFile === undefined) return undefined;
        return chosen({ kind: 'pem', certificate: { file }, keyFile });
      },
    },
    {
      label: 'PKCS12 store...',
      detail: 'A .p12 or .pfx file with certificate and key.',
      value: async () => {
        const file = await chooseFile('Use this store', storeFiles);
        return file === undefined ? undefined : chosen({ kind: 'pkcs12', file });
      },
    },
    {
      label: 'Certificate and key as PEM text in the clipboard',
      detail: 'The key goes to the secret store of the editor.',
      value: async () => {
        const text = await vscode.env.clipboard.readText();
        const pem = certificatesIn(text);
        const privateKey = privateKeyIn(text);
        if (pem === undefined || privateKey === undefined) {
          return nothingInClipboard('certificate with a private key');
        }
        return withSecret(chosen({ kind: 'pem', certificate: { pem } }), 'privateKey', privateKey);
      },
    },
  ];
  for (;;) {
    const answer = await pickOne(place, {
      placeholder: 'Which certificate to show to the brokers?',
      options,
    });
    if (answer === back) return back;
    const changed = await answer();
    if (changed) return changed;
  }
};

export const passphrase: Step<ConnectionDraft> = (draft, place) => {
  const isStore = draft.tls.clientCertificate?.kind === 'pkcs12';
  const of = isStore ? 'PKCS12 store' : 'private key';
  return askPassphrase(draft, place, { name: 'passphrase', of });
};

export const trustPassphrase: Step<ConnectionDraft> = (draft, place) =>
  askPassphrase(draft, place, { name: 'trustPassphrase', of: 'trust store' });

async function askPassphrase(
  draft: ConnectionDraft,
  place: StepPlace,
  { name, of }: { readonly name: SecretName; readonly of: string },
): Promise<ConnectionDraft | Back> {
  const typed = await askLine(place, {
    prompt: `Passphrase of the ${of}. It is kept in the secret store of the editor.`,
    placeholder: hasSecret(draft, name) ? 'unchanged when left empty' : 'none when left empty',
    isSecret: true,
  });
  return typed === back ? back : withSecret(draft, name, typed);
}

const pemFiles = { 'Certificates in PEM': ['pem', 'crt', 'cer', 'cert'], 'All files': ['*'] };
const keyFiles = { 'Private keys in PEM': ['pem', 'key'], 'All files': ['*'] };
const storeFiles = { 'PKCS12 stores': ['p12', 'pfx', 'jks', 'keystore'], 'All files': ['*'] };

async function chooseFile(
  openLabel: string,
  filters: Readonly<Record<string, string[]>>,
): Promise<string | undefined> {
  const options = { title: openLabel, openLabel, filters, canSelectMany: false };
  return (await vscode.window.showOpenDialog(options))?.[0]?.fsPath;
}

async function nothingInClipboard(what: string): Promise<undefined> {
  await vscode.window.showWarningMessage(
    `There is no ${what} in PEM in the clipboard. Copy the text with its BEGIN and END lines first.`,
  );
  return undefined;
}

function always(draft: ConnectionDraft): Answer {
  return () => Promise.resolve(draft);
}

function sourceName(source: AuthoritySource): string {
  if ('store' in source) return source.store;
  return 'file' in source ? source.file : 'certificates as text';
}

function certificateName(own: ClientCertificateProfile): string {
  return own.kind === 'pkcs12' ? own.file : sourceName(own.certificate);
}
