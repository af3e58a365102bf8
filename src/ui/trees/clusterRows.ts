/** How clusters, their folders and their brokers look and read. */
import { t } from '../../base/l10n.ts';
import type { EmbeddedState } from '../../cluster/embedded/embeddedState.ts';
import type { ConnectionState, Problem } from '../../cluster/model.ts';
import { markColors } from '../connections/marks.ts';
import { counted, durationText, grouped } from '../text.ts';
import type { ListSummary, NodeOf } from './node.ts';
import { access, type RowText, type Tooltip } from './rowText.ts';
import { colors } from './themeColors.ts';
import { sortWords } from './sortWords.ts';

interface StateLook {
  readonly words: () => string;
  readonly icon: string;
  readonly color?: string;
}

const embeddedLooks: Readonly<Record<EmbeddedState['kind'], StateLook>> = {
  stopped: { words: () => t('stopped'), icon: 'circle-outline', color: colors.quiet },
  starting: { words: () => t('starting'), icon: 'loading~spin' },
  running: { words: () => t('running'), icon: 'circle-filled', color: colors.good },
  stopping: { words: () => t('stopping'), icon: 'loading~spin' },
  crashed: { words: () => t('crashed'), icon: 'error', color: colors.bad },
};

const remoteLooks: Readonly<Record<ConnectionState['kind'], StateLook>> = {
  stopped: { words: () => t('stopped'), icon: 'circle-outline', color: colors.quiet },
  connecting: { words: () => t('connecting'), icon: 'loading~spin' },
  connected: { words: () => t('connected'), icon: 'circle-filled', color: colors.good },
  failed: { words: () => t('failed'), icon: 'error', color: colors.bad },
};

export function embeddedRow(node: NodeOf<'cluster'>, state: EmbeddedState): RowText {
  const { icon, color, words } = embeddedLooks[state.kind];
  const { name } = node.cluster;
  const parts = [state.kind === 'running' ? state.bootstrap : words()];
  const clock = state.kind === 'running' ? clockWords(state.clockAheadMs) : undefined;
  // Before the brokers, which a narrow view cuts off.
  if (clock !== undefined) parts.push(clock);
  if (state.kind === 'running' && node.brokerCount) parts.push(counted(node.brokerCount, 'broker'));
  if (state.kind === 'crashed') parts.push(state.message);
  const description = parts.join(' · ');
  return {
    label: name,
    description,
    tooltip: () => [t('{0}: {1}', name, words()), ...embeddedFacts(state, clock)],
    spoken: spokenCluster(name, words(), parts),
    icon,
    ...(color && { iconColor: color }),
    context: `embedded ${state.kind} ${access(node)}`,
    expands: state.kind === 'running' && 'open',
  };
}

/** Its state is said once, also where that is among the parts that are seen. */
function spokenCluster(name: string, state: string, parts: readonly string[]): string {
  const others = parts.filter((part) => part !== state);
  return others.length === 0
    ? t('{0} cluster, {1}', name, state)
    : t('{0} cluster, {1}, {2}', name, state, others.join(', '));
}

function embeddedFacts(state: EmbeddedState, clock: string | undefined): Tooltip {
  if (state.kind === 'crashed') return [state.message, state.logTail];
  if (state.kind !== 'running') return [];
  return [
    [t('Bootstrap address'), state.bootstrap],
    [t('Process'), String(state.pid)],
    ...(clock === undefined
      ? []
      : ([[t("The cluster's time"), t("{0} to this machine's", clock)]] as const)),
  ];
}

/** `clock +7d`. */
function clockWords(aheadMs: number | undefined): string | undefined {
  return aheadMs === undefined ? undefined : t('clock +{0}', durationText(aheadMs));
}

export function remoteRow(node: NodeOf<'cluster'>): RowText {
  const { cluster, connection } = node;
  const { name } = cluster;
  const { icon, color, words } = remoteLooks[connection.kind];
  const bootstrap = cluster.bootstrap.join(', ');
  const marks = cluster.readOnly ? [t('READ ONLY')] : [];
  const production = cluster.isProduction ? [t('PRODUCTION')] : [];
  // First, where a narrow view does not cut them off.
  const parts = [...production, ...remoteParts(node, bootstrap, marks)];
  // The mark that a person chose tells clusters apart; what is wrong goes before it.
  const isCalm = connection.kind === 'stopped' || connection.kind === 'connected';
  const iconColor = (isCalm && cluster.color && markColors[cluster.color]) || color;
  return {
    label: name,
    description: parts.join(' · '),
    tooltip: () =>
      connection.kind === 'failed'
        ? failureTooltip(name, connection.problem)
        : [
            t('{0}: {1}', name, words()),
            [t('Bootstrap address'), bootstrap],
            ...production,
            ...marks,
          ],
    spoken: spokenCluster(name, words(), parts),
    icon,
    ...(iconColor && { iconColor }),
    context: `remote ${connection.kind} ${access(node)}`,
    expands: connection.kind !== 'failed',
  };
}

function remoteParts(
  { connection, brokerCount }: NodeOf<'cluster'>,
  bootstrap: string,
  marks: readonly string[],
): readonly string[] {
  switch (connection.kind) {
    case 'stopped':
      return [...marks, bootstrap];
    case 'connecting':
      return [bootstrap, t('connecting')];
    case 'connected':
      return [...marks, bootstrap, ...(brokerCount ? [counted(brokerCount, 'broker')] : [])];
    case 'failed':
      return [connection.problem.message];
  }
}

function failureTooltip(name: string, { message, hint }: Problem): Tooltip {
  return [t('{0}: {1}', name, message), ...(hint ? [hint] : [])];
}

export function brokersRow(node: NodeOf<'brokers'>): RowText {
  return {
    label: t('Brokers'),
    ...(node.count !== undefined && { description: grouped(node.count) }),
    icon: 'server-environment',
    context: `brokers ${access(node)}`,
    expands: true,
  };
}

/** A folder of topics or groups: how many there are, how many match the filter, and in which order. */
export function listRow(node: NodeOf<'topics' | 'groups'>, label: string, icon: string): RowText {
  const { list, kind } = node;
  const context = [kind, access(node), ...(list?.filter === undefined ? [] : ['filtered'])];
  const row = { label, icon, context: context.join(' '), expands: true };
  if (!list) return row;
  const { matching, total, filter, sort, troubled } = list;
  const trouble = troubled ? [troubleWords(list, kind)] : [];
  // How many there are is among the words of what is the matter.
  const count = troubled ? [] : [grouped(total)];
  const shown =
    filter === undefined
      ? count
      : [t('{0} of {1} match {2}', grouped(matching), grouped(total), filter)];
  const order = sort === 'name' ? [] : [sortWords[sort]()];
  const said = [...trouble, ...shown, ...order];
  return {
    ...row,
    // What is the matter comes first: a narrow view cuts the rest off.
    description: [...trouble.map((words) => `⚠ ${words}`), ...shown, ...order].join(' · '),
    tooltip: () => [label, ...said],
    spoken: [label, ...said].join(', '),
    icon: filter === undefined ? icon : 'list-filter',
  };
}

function troubleWords({ troubled, total }: ListSummary, kind: 'topics' | 'groups'): string {
  const [some, all] = [grouped(troubled), grouped(total)];
  return kind === 'groups'
    ? t('{0} of {1} lagging', some, all)
    : t('{0} of {1} in trouble', some, all);
}

export function brokerRow({ broker }: NodeOf<'broker'>): RowText {
  const address = `${broker.host}:${broker.port}`;
  const parts = [address];
  if (broker.rack !== null) parts.push(t('rack {0}', broker.rack));
  if (broker.isController) parts.push(t('controller'));
  return {
    label: String(broker.id),
    description: parts.join(' · '),
    spoken: [t('Broker {0}', broker.id), ...parts].join(', '),
    icon: 'server',
    context: 'broker',
    expands: false,
  };
}
