import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import { parseTailFilter } from '../../shared/tailFilter.ts';
import { type LinkedView, linkedCluster, linkedSubject, readTailLink } from './tailLink.ts';
import type { TailSubject } from './tailSubject.ts';

/** What somebody sent leaves the dialog its size and its buttons their place. */
const shownCharacters = 300;

interface Opening {
  readonly registry: ClusterRegistry;
  readonly attached: Promise<void>;
  readonly openTail: (subject: TailSubject) => void;
}

/**
 * Opens the view that a link describes, once the person has seen what it is. Nothing else can be had by a link, and no
 * JavaScript runs because of one: such a filter is shown, to be chosen.
 */
export function handleTailLinks(opening: Opening): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async ({ path, query }) => {
      const view = readTailLink(path, query);
      if (view) await open(view, opening);
      else void vscode.window.showErrorMessage(t('This link to Kafka Workbench cannot be read.'));
    },
  });
}

async function open(view: LinkedView, { registry, attached, openTail }: Opening): Promise<void> {
  await attached;
  const cluster = linkedCluster(view, registry.profiles);
  if (!cluster) {
    const { name } = view.cluster;
    const words = t('There is no connection “{0}” here. Add it, then open the link again.', name);
    void vscode.window.showErrorMessage(words);
    return;
  }
  const { filter = '' } = view;
  const isScript = parseTailFilter(filter).kind === 'script';
  const yes = t('Open');
  const question = t('Open the tail of {0} on {1}?', view.topic, cluster.name);
  const [from, shownFilter] = [inDialog(view.from), inDialog(filter)];
  const detail = isScript
    ? t('The link filters by JavaScript, which is left out: {0}', shownFilter)
    : filter === ''
      ? t('From {0}, without a filter.', from)
      : t('From {0}, filtered by {1}', from, shownFilter);
  const options = { modal: true, detail };
  if ((await vscode.window.showInformationMessage(question, options, yes)) !== yes) return;
  openTail(linkedSubject(isScript ? { ...view, filter: '' } : view, cluster));
}

function inDialog(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)} …` : line;
}
