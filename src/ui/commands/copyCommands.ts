import * as vscode from 'vscode';
import { describe } from '../trees/describe.ts';
import type { Node } from '../trees/node.ts';
import { type CommandCall, rowsOf } from './targets.ts';

/** What can be copied of a row: plain digits and text, for pasting and not for reading. Undefined: it has none. */
const copies = {
  name: nameOf,
  text: (node: Node) => {
    const { label, description = '' } = describe(node);
    return [label, description].filter(Boolean).join('\t') || undefined;
  },
  offset: (node: Node) => ('commit' in node ? node.commit.committed?.toString() : undefined),
  lag: lagOf,
  logStart: (node: Node) => offsetsOf(node)?.logStart.toString(),
  lastStable: (node: Node) => offsetsOf(node)?.lastStable.toString(),
  highWatermark: (node: Node) => offsetsOf(node)?.highWatermark.toString(),
  address: addressOf,
  id: idOf,
} as const satisfies Record<string, (node: Node) => string | undefined>;

/** A command that copies one thing of each row selected, a line each. */
export function copy(what: keyof typeof copies): (call: CommandCall) => Promise<void> {
  return async (call) => {
    const values = rowsOf(call).flatMap(({ node }) => copies[what](node) ?? []);
    if (values.length) await vscode.env.clipboard.writeText(values.join('\n'));
  };
}

function nameOf(node: Node): string | undefined {
  switch (node.kind) {
    case 'cluster':
      return node.cluster.name;
    case 'broker':
      return String(node.broker.id);
    case 'topic':
      return node.topic.name;
    case 'partition':
      return `${node.row.topic}-${node.row.partition}`;
    case 'commit':
      return node.commit.group;
    case 'group':
      return node.group.groupId;
    case 'member':
      return node.member.clientId;
    case 'assignment':
    case 'groupTopic':
      return node.topic;
    case 'groupPartition':
      return `${node.commit.topic}-${node.commit.partition}`;
    case 'problem':
      return [node.problem.message, node.problem.hint ?? ''].filter(Boolean).join('\n');
    case 'brokers':
    case 'topics':
    case 'groups':
    case 'members':
    case 'more':
    case 'nothing':
      return undefined;
  }
}

function lagOf(node: Node): string | undefined {
  if ('commit' in node) return node.commit.lag?.toString();
  if (node.kind === 'group') return node.figures?.lag?.toString();
  return node.kind === 'topic' ? node.lag?.lag.toString() : undefined;
}

function offsetsOf(
  node: Node,
): { logStart: bigint; lastStable: bigint; highWatermark: bigint } | undefined {
  if (node.kind !== 'partition' || 'problem' in node.row.offsets) return undefined;
  return node.row.offsets.value;
}

function addressOf(node: Node): string | undefined {
  if (node.kind === 'broker') return `${node.broker.host}:${node.broker.port}`;
  return node.kind === 'member' ? node.member.host.replace(/^\//, '') : undefined;
}

function idOf(node: Node): string | undefined {
  if (node.kind === 'topic') return node.topic.topicId;
  return node.kind === 'member' ? node.member.memberId : undefined;
}
