/** How a field of the topic is read. */
import { t } from '../../src/base/l10n.ts';
import type { DecoderKind, PayloadField } from '../../src/shared/contracts/decoders.ts';
import type { DecoderLabels } from '../../src/shared/contracts/tail.ts';
import { inlineChoice } from '../kit/controls.ts';

const CHOICES: readonly { value: DecoderKind; text: string }[] = [
  { value: 'auto', text: t('Automatic') },
  { value: 'text', text: t('Text (UTF-8)') },
  { value: 'json', text: 'JSON' },
  { value: 'hex', text: 'Hex' },
  { value: 'base64', text: 'Base64' },
  { value: 'int32', text: 'int32' },
  { value: 'int64', text: 'int64' },
  { value: 'float', text: 'float' },
  { value: 'double', text: 'double' },
  { value: 'avro', text: t('Avro...') },
  { value: 'protobuf', text: t('Protobuf...') },
];

export interface DecoderChooser {
  readonly labels: DecoderLabels;
  readonly onChoose: (field: PayloadField, kind: DecoderKind) => void;
}

const NAMES: Readonly<Record<PayloadField, string>> = {
  key: t('Read keys as'),
  value: t('Read values as'),
  headers: t('Read header values as'),
};

export function decoderChoice(field: PayloadField, chooser: DecoderChooser): HTMLElement {
  const { kind, label } = chooser.labels[field];
  return inlineChoice<DecoderKind>({
    label: NAMES[field],
    title: t('{0}: {1}. Holds for this topic, and is remembered.', NAMES[field], label),
    choices: CHOICES,
    value: kind,
    onChange: (chosen) => chooser.onChoose(field, chosen),
  });
}
