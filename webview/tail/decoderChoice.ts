/** How a field of the topic is read. */
import type { DecoderKind, PayloadField } from '../../src/shared/contracts/decoders.ts';
import type { DecoderLabels } from '../../src/shared/contracts/tail.ts';
import { inlineChoice } from '../kit/controls.ts';

const CHOICES: readonly { value: DecoderKind; text: string }[] = [
  { value: 'auto', text: 'Automatic' },
  { value: 'text', text: 'Text (UTF-8)' },
  { value: 'json', text: 'JSON' },
  { value: 'hex', text: 'Hex' },
  { value: 'base64', text: 'Base64' },
  { value: 'int32', text: 'int32' },
  { value: 'int64', text: 'int64' },
  { value: 'float', text: 'float' },
  { value: 'double', text: 'double' },
  { value: 'avro', text: 'Avro …' },
  { value: 'protobuf', text: 'Protobuf …' },
];

export interface DecoderChooser {
  readonly labels: DecoderLabels;
  readonly onChoose: (field: PayloadField, kind: DecoderKind) => void;
}

const NAMES: Readonly<Record<PayloadField, string>> = {
  key: 'Read keys as',
  value: 'Read values as',
  headers: 'Read header values as',
};

export function decoderChoice(field: PayloadField, chooser: DecoderChooser): HTMLElement {
  const { kind, label } = chooser.labels[field];
  return inlineChoice<DecoderKind>({
    label: NAMES[field],
    title: `${NAMES[field]}: ${label}. Holds for this topic, and is remembered.`,
    choices: CHOICES,
    value: kind,
    onChange: (chosen) => chooser.onChoose(field, chosen),
  });
}
