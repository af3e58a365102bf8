/** How clusters, their folders and their brokers look and read. */
import type { EmbeddedState } from '../../cluster/embeddedCluster.ts';
import { markColors } from '../connections/marks.ts';
import { counted, durationText, grouped } from '../text.ts';
import type { NodeOf } from './node.ts';
import { access, colors, type RowText } from './rowText.ts';

const embeddedLooks: Record<
  EmbeddedState['kind'],
  { readonly icon: string; readonly color?: string }
> = {
  stopped: { icon: 'circle-outline', color: colors.quiet },
  starting: { icon: 'loading~spin' },
  running: { icon: 'circle-filled', color: colors.good },
  stopping: { icon: 'loading~spin' },
  crashed: { icon: 'error', color: colors.bad },
};

export function embeddedRow(node: NodeOf<'cluster'>, state: EmbeddedState): RowText {
  const { icon, color } = embeddedLooks[state.kind];
  const parts = ['running' === state.kind ? state.bootstrap : state.kind];
  const clock = state.kind === 'running' ? clockWords(state.clockAheadMs) : undefined;
  // Before the brokers, which a narrow view cuts off.
  if (clock !== undefined) parts.push(clock);
  if (state.kind === 'running' && node.brokerCount) parts.push(counted(node.brokerCount, 'broker'));
  if (state.kind === 'crashed') parts.push(state.message);
  const description = parts.join(' · ');
  return {
    label: node.cluster.name,
    description,
    tooltip: [
      `${node.cluster.name}: ${state.kind}`,
      ...(state.kind === 'running'
        ? ([
            ['Bootstrap address', state.bootstrap],
            ['Process', String(state.pid)],
            ...(clock === undefined
              ? []
              : ([["The cluster's time", `${clock} to this machine's`]] as const)),
          ] as const)
        : []),
      ...(state.kind === 'crashed' ? [state.message, state.logTail] : []),
    ],
    spoken: `${node.cluster.name} cluster, ${state.kind}, ${description}`,
    icon,
    ...(color && { iconColor: color }),
    context: `embedded ${state.kind} ${access(node)}`,
    expands: state.kind === 'running' && 'open',
  };
}

/** `clock +7d`. */
function clockWords(aheadMs: number | undefined): string | undefined {
  return aheadMs === undefined ? undefined : `clock +${durationText(aheadMs)}`;
}

export function remoteRow(node: NodeOf<'cluster'>): RowText {
  const { cluster, connection } = node;
  const bootstrap = cluster.bootstrap.join(', ');
  const mark = cluster.readOnly ? ['READ ONLY'] : [];
  // First, where a narrow view does not cut it off.
  const production = cluster.isProduction ? ['PRODUCTION'] : [];
  const markColor = cluster.color && markColors[cluster.color];
  const row = (icon: string, color: string | undefined, parts: string[]): RowText => ({
    label: cluster.name,
    description: [...production, ...parts].join(' · '),
    tooltip: [
      `${cluster.name}: ${connection.kind}`,
      ['Bootstrap address', bootstrap],
      ...production,
      ...mark,
    ],
    spoken: `${cluster.name} cluster, ${connection.kind}, ${[...production, ...parts].join(', ')}`,
    icon,
    ...(color && { iconColor: color }),
    context: `remote ${connection.kind} ${access(node)}`,
    expands: connection.kind !== 'failed',
  });
  switch (connection.kind) {
    case 'stopped':
      return row('circle-outline', markColor ?? colors.quiet, [bootstrap, ...mark]);
    case 'connecting':
      return row('loading~spin', undefined, [bootstrap, 'connecting']);
    case 'connected': {
      const brokers = node.brokerCount ? [counted(node.brokerCount, 'broker')] : [];
      return row('circle-filled', markColor ?? colors.good, [bootstrap, ...brokers, ...mark]);
    }
    case 'failed': {
      const { message, hint } = connection.problem;
      const failed = row('error', colors.bad, [message]);
      return { ...failed, tooltip: [`${cluster.name}: ${message}`, ...(hint ? [hint] : [])] };
    }
  }
}

export function folder(
  node: NodeOf<'brokers' | 'topics' | 'groups'>,
  label: string,
  icon: string,
): RowText {
  const count = node.count === undefined ? undefined : grouped(node.count);
  return {
    label,
    ...(count !== undefined && { description: count }),
    icon,
    context: `${node.kind} ${access(node)}`,
    expands: true,
  };
}

export function brokerRow({ broker }: NodeOf<'broker'>): RowText {
  const address = `${broker.host}:${broker.port}`;
  const parts = [address];
  if (broker.rack !== null) parts.push(`rack ${broker.rack}`);
  if (broker.isController) parts.push('controller');
  return {
    label: String(broker.id),
    description: parts.join(' · '),
    spoken: `Broker ${broker.id}, ${parts.join(', ')}`,
    icon: 'server',
    context: 'broker',
    expands: false,
  };
}
