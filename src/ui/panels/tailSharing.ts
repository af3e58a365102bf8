/** What of a tail leaves its panel: text, a link, two records beside each other. */
import * as vscode from 'vscode';
import type { Tail } from '../../cluster/tail/tails.ts';
import type { Handlers } from '../../shared/channel.ts';
import type { tailHost } from '../../shared/contracts/tail.ts';
import type { RecordComparison } from './recordComparison.ts';
import { tailLinkPath, tailLinkQuery } from './tailLink.ts';
import { readRecord } from './tailRecord.ts';
import type { TailSubject } from './tailSubject.ts';
import { toUserError } from './words.ts';

interface TailSharing {
  readonly comparison: RecordComparison;
  readonly extensionId: string;
  /** As they are when something is asked for. */
  readonly tail: () => Tail | undefined;
  readonly subject: () => TailSubject;
}

export function shareHandlers(
  of: TailSharing,
): Pick<Handlers<typeof tailHost>, 'compare' | 'copyLink' | 'copy'> {
  return {
    compare: async ({ left, right }, signal) => {
      try {
        const tail = of.tail();
        const [before, after] = await Promise.all([
          readRecord(tail, left, signal),
          readRecord(tail, right, signal),
        ]);
        await of.comparison.show(before, after);
        return {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
    copyLink: async ({ record }) => {
      try {
        const link = vscode.Uri.from({
          scheme: vscode.env.uriScheme,
          authority: of.extensionId,
          path: tailLinkPath,
          query: tailLinkQuery(of.subject(), record),
        });
        await vscode.env.clipboard.writeText(link.toString(true));
        return {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
    copy: async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
      return {};
    },
  };
}
