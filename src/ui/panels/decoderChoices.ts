import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import {
  type DecoderChoice,
  type DecoderKind,
  defaultDecoders,
  topicDecoders,
  type TopicDecoders,
} from '../../shared/contracts/decoders.ts';
import type { DecoderLabels } from '../../shared/contracts/tail.ts';

/** How the payloads of each topic are read, remembered with the schemas that were chosen. */
export class DecoderChoices {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  of(clusterId: string, topic: string): TopicDecoders {
    const parsed = v.safeParse(topicDecoders, this.#memento.get(keyOf(clusterId, topic)));
    return parsed.success ? parsed.output : defaultDecoders;
  }

  async remember(clusterId: string, topic: string, choices: TopicDecoders): Promise<void> {
    await this.#memento.update(keyOf(clusterId, topic), choices);
  }
}

/** The choice of a kind; asks for a schema where it takes one. Undefined: the person thought better of it. */
export async function chooseDecoder(
  kind: DecoderKind,
  messagesOf: (schema: string) => Promise<readonly string[]>,
): Promise<DecoderChoice | undefined> {
  if (kind !== 'avro' && kind !== 'protobuf') return { kind };
  const file = await chooseFile(kind);
  if (!file) return undefined;
  const schema = Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8');
  const path = vscode.workspace.asRelativePath(file);
  if (kind === 'avro') return { kind, path, schema };
  const messages = await messagesOf(schema);
  const message =
    messages.length === 1
      ? messages[0]
      : await vscode.window.showQuickPick(messages, {
          title: t('Message of {0}', path),
          // The dialog before it gives the focus back to the panel, at times only now.
          ignoreFocusOut: true,
        });
  return message === undefined ? undefined : { kind, path, schema, message };
}

async function chooseFile(kind: 'avro' | 'protobuf'): Promise<vscode.Uri | undefined> {
  const filters =
    kind === 'avro'
      ? { [t('Avro schema')]: ['avsc', 'json'] }
      : { [t('Protobuf schema')]: ['proto'] };
  const title = kind === 'avro' ? t('Avro schema to read with') : t('Protobuf schema to read with');
  const [file] = (await vscode.window.showOpenDialog({ filters, title })) ?? [];
  return file;
}

const names = (): Readonly<Record<DecoderKind, string>> => ({
  auto: t('Automatic'),
  text: t('Text (UTF-8)'),
  json: 'JSON',
  hex: 'Hex',
  base64: 'Base64',
  int32: 'int32',
  int64: 'int64',
  float: 'float',
  double: 'double',
  avro: 'Avro',
  protobuf: 'Protobuf',
});

export function decoderLabels(choices: TopicDecoders): DecoderLabels {
  const label = (choice: DecoderChoice): { kind: DecoderKind; label: string } => {
    const { kind } = choice;
    const name = names()[kind];
    const of = choice.kind === 'protobuf' ? `${choice.message}, ` : '';
    return { kind, label: 'path' in choice ? `${name}: ${of}${choice.path}` : name };
  };
  return { key: label(choices.key), value: label(choices.value), headers: label(choices.headers) };
}

function keyOf(clusterId: string, topic: string): string {
  return `decoders ${JSON.stringify([clusterId, topic])}`;
}
