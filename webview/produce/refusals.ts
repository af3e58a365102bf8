/** Why nothing, one record or many cannot be sent now, in words. Nothing here touches the page. */
import { t } from '../../src/base/l10n.ts';
import type {
  DraftProblem,
  FormDraft,
  ProducePreview,
  ProduceSetup,
} from '../../src/shared/contracts/produce.ts';
import { whyNotMany, whyNotOne } from './templateRules.ts';

export interface Scene {
  /** Why nothing can be asked of the cluster now. */
  readonly clusterWhy: string | undefined;
  readonly setup: Pick<ProduceSetup, 'cluster'> | undefined;
  readonly isSending: boolean;
  /** Undefined where a field is not what it should be, as `fault` says. */
  readonly draft: Pick<FormDraft, 'topic' | 'delivery'> | undefined;
  readonly fault: DraftProblem | undefined;
  /** What is known of the draft. */
  readonly looked: Pick<ProducePreview, 'problems' | 'template'>;
}

export interface Refusals {
  /** Undefined where it can be sent. */
  readonly one: string | undefined;
  readonly many: string | undefined;
}

export function refusals(scene: Scene): Refusals {
  const { isSending, looked } = scene;
  const nothing = whyNothing(scene);
  return {
    one: nothing ?? (isSending ? t('Sending …') : whyNotOne(looked)),
    many: nothing ?? whyNotAsMany(scene),
  };
}

function whyNothing({ clusterWhy, setup, draft }: Scene): string | undefined {
  if (clusterWhy !== undefined) return clusterWhy;
  if (!setup) return t('Not connected yet.');
  if (setup.cluster.readOnly) return t('{0} is read-only.', setup.cluster.name);
  return draft?.topic === '' ? t('Choose a topic.') : undefined;
}

function whyNotAsMany({ draft, fault, looked }: Scene): string | undefined {
  if (!draft) return fault?.message;
  return draft.delivery === 'plain'
    ? whyNotMany(looked)
    : t('To send many, choose the delivery “At least once”.');
}
