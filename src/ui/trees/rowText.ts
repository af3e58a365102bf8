import { t } from '../../base/l10n.ts';
import type { CommandName } from '../contributions.ts';
import { grouped } from '../text.ts';
import type { Health } from './health.ts';
import type { Node } from './node.ts';

/** Lines of text; `[name, value]` pairs in a row make a table. */
export type Tooltip = readonly (string | readonly [string, string])[];

/** How a row looks and reads, without the editor's types. */
export interface RowText {
  readonly label: string;
  readonly description?: string;
  /** The long form, made only for the row that somebody looks at. */
  readonly tooltip?: () => Tooltip;
  /** The editor's icon name, and its colour where the icon says something. */
  readonly icon?: string;
  readonly iconColor?: string;
  /** What a screen reader says; left out: label and description. */
  readonly spoken?: string;
  /** Matched by the menus in package.json. */
  readonly context: string;
  /** Whether there are rows below, and whether they show before the person opens or closes them. */
  readonly expands: boolean | 'open';
  /** Shown as a badge and the label's colour. */
  readonly health?: Health;
  /** What a click does, besides selecting the row. */
  readonly onClick?: CommandName;
}

/** What menus look at to know whether a row's cluster may be changed. */
export function access(node: Node): string {
  return node.cluster.readOnly ? 'readonly' : 'writable';
}

export function lagText(lag: bigint | null): string {
  return lag === null ? t('lag unknown') : t('lag {0}', grouped(lag));
}
