/** The command lines that send the same record: kcat's, and that of Kafka's own console producer. */
import { t } from '../../base/l10n.ts';
import type { CompressionType } from '../../protocol/records/compression.ts';
import { isText, shellWord } from '../shellWord.ts';

/** A record as a command line has to carry it. */
export interface CommandRecord {
  readonly topic: string;
  readonly partition: number | null;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly { readonly key: string; readonly value: Uint8Array | null }[];
  /** Null: now. */
  readonly timestamp: bigint | null;
  readonly acks: 'all' | '1' | '0';
  readonly compression: CompressionType;
  readonly isIdempotent: boolean;
}

/** A command for bash, or why the tool cannot send this record. */
export type ProduceCommand = { readonly text: string } | { readonly problem: string };

/** Between records, and between key and value, of what kcat reads; no text has them. */
const kcatDelimiter = '\u001e';
const kcatKeyDelimiter = '\u001f';
const kcatCompressions: ReadonlySet<CompressionType> = new Set(['none', 'gzip', 'snappy', 'lz4']);

export function kcatCommand(bootstrap: string, record: CommandRecord): ProduceCommand {
  const { key, value, headers, partition } = record;
  const problem = kcatProblem(record);
  if (problem !== undefined) return { problem };
  const options = [
    ['-P', '-b', bootstrap, '-t', record.topic],
    partition === null ? [] : ['-p', String(partition)],
    ...headers.map((header) => ['-H', headerOption(header.key, header.value)]),
    record.compression === 'none' ? [] : ['-z', record.compression],
    record.acks === 'all' ? [] : ['-X', `topic.request.required.acks=${record.acks}`],
    record.isIdempotent ? ['-X', 'enable.idempotence=true'] : [],
    ['-D', kcatDelimiter],
    // An empty line is no record to kcat; with a key before it, it is one.
    value === null ? ['-Z', '-K', kcatKeyDelimiter] : [],
    value !== null && key !== null ? ['-k', key] : [],
  ].flat();
  const command = ['kcat', ...options.map(shellWord)].join(' ');
  const tombstone = Buffer.concat([key ?? Buffer.alloc(0), Buffer.from(kcatKeyDelimiter)]);
  return { text: `printf ${shellWord(printfText(value ?? tombstone))} | ${command}` };
}

function kcatProblem({ key, value, headers, timestamp, compression }: CommandRecord) {
  if (timestamp !== null) return t('kcat cannot set a timestamp.');
  if (!kcatCompressions.has(compression)) return t('kcat has no option for {0}.', compression);
  if (key?.length === 0) return t('kcat cannot send an empty key.');
  if (value?.length === 0) return t('kcat cannot send an empty value, only null.');
  const isSplit = [kcatDelimiter, kcatKeyDelimiter].some((text) =>
    (value ?? key)?.includes(text.charCodeAt(0)),
  );
  if (isSplit) return noLine('kcat', t('the bytes 1E and 1F with this command'));
  if ([key, ...headers.map((header) => header.value)].some((bytes) => bytes?.includes(0))) {
    return t('A key or a header with a zero byte cannot stand on a command line.');
  }
  const isAmbiguous = headers.some((header) => header.key === '' || header.key.includes('='));
  return isAmbiguous ? t('kcat takes no empty header key and none with “=”.') : undefined;
}

function headerOption(key: string, value: Uint8Array | null): Uint8Array {
  return value === null ? Buffer.from(key) : Buffer.concat([Buffer.from(`${key}=`), value]);
}

/** [ConsoleProducer, LineMessageReader] */
export function consoleProducerCommand(bootstrap: string, record: CommandRecord): ProduceCommand {
  const { key, value, headers } = record;
  const problem = consoleProblem(record);
  if (problem !== undefined) return { problem };
  const isNullUsed = [key, value, ...headers.map((header) => header.value)].includes(null);
  const line = [
    ...(headers.length > 0 ? [headers.map(headerText).join(',')] : []),
    ...(key === null && headers.length === 0 ? [] : [textOf(key)]),
    textOf(value),
  ].join('\t');
  const readerProperties = {
    ...(line.includes('\t') && { 'parse.key': 'true' }),
    ...(headers.length > 0 && { 'parse.headers': 'true' }),
    ...(isNullUsed && { 'null.marker': nullMarker }),
  };
  const options = [
    ['--bootstrap-server', bootstrap, '--topic', record.topic],
    Object.entries(readerProperties).flatMap(([name, text]) => [
      '--reader-property',
      `${name}=${text}`,
    ]),
    record.compression === 'none' ? [] : ['--compression-codec', record.compression],
    record.acks === 'all' ? [] : ['--request-required-acks', record.acks],
    ['--command-property', `enable.idempotence=${record.isIdempotent}`],
  ].flat();
  const command = ['kafka-console-producer.sh', ...options.map(shellWord)].join(' ');
  return { text: `printf ${shellWord(printfText(Buffer.from(`${line}\n`)))} | ${command}` };
}

const nullMarker = 'NULL';

function textOf(bytes: Uint8Array | null): string {
  return bytes === null ? nullMarker : Buffer.from(bytes).toString();
}

function headerText({ key, value }: CommandRecord['headers'][number]): string {
  return `${key}:${textOf(value)}`;
}

function consoleProblem({ partition, key, value, headers, timestamp }: CommandRecord) {
  const tool = 'kafka-console-producer';
  if (timestamp !== null) return t('{0} cannot set a timestamp.', tool);
  if (partition !== null) return t('{0} cannot choose a partition.', tool);
  const payloads = [key, value, ...headers.map((header) => header.value)];
  if (payloads.some((bytes) => bytes && !isText(bytes))) return noLine(tool, t('other than UTF-8'));
  const texts = [
    ...payloads.map((bytes) => (bytes ? textOf(bytes) : '')),
    ...headers.map(headerKey),
  ];
  if (texts.some((text) => /[\t\n\r]/.test(text))) return noLine(tool, t('a tab or a line break'));
  if (texts.includes(nullMarker)) return noLine(tool, t('the text {0} beside a null', nullMarker));
  if (headers.some((header) => header.key.includes(':') || headerText(header).includes(','))) {
    return noLine(tool, t('a header with “,” or “:” in it'));
  }
  return undefined;
}

function headerKey({ key }: CommandRecord['headers'][number]): string {
  return key;
}

function noLine(tool: string, what: string): string {
  return t('{0} cannot send {1}.', tool, what);
}

/** What printf prints as these bytes. */
function printfText(bytes: Uint8Array): Uint8Array {
  if (!isText(bytes) || bytes.includes(0)) {
    const octal = Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`);
    return Buffer.from(octal.join(''));
  }
  return Buffer.from(textOf(bytes).replaceAll('\\', '\\\\').replaceAll('%', '%%'));
}
