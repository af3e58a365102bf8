/** How a tail panel's rows are looked at: filtered, sorted, decoded. */
import type { TailSlot } from '../../cluster/tail/tailSlot.ts';
import type { Handlers } from '../../shared/channel.ts';
import type { DecoderKind, PayloadField } from '../../shared/contracts/decoders.ts';
import type { DecoderLabels, tailHost } from '../../shared/contracts/tail.ts';
import { chooseDecoder, decoderLabels } from './decoderChoices.ts';
import type { PanelContext } from './panelHost.ts';
import type { TailSubject } from './tailSubject.ts';
import { toUserError } from './words.ts';

interface TailViewing {
  readonly slot: TailSlot;
  readonly decoders: PanelContext['decoders'];
  /** As it is when something is asked for. */
  readonly subject: () => TailSubject;
  /** The filter that is in force now. */
  readonly onFilter: (view: Pick<TailSubject, 'filter' | 'within'>) => void;
}

type Serves = Handlers<typeof tailHost>;

export function viewHandlers(
  of: TailViewing,
): Pick<Serves, 'setFilter' | 'setOrder' | 'checkFilter' | 'setDecoder'> {
  const { slot, onFilter } = of;
  let asked = 0;
  let inForce = 0;
  return {
    setFilter: async ({ filter, show, within }) => {
      const mine = ++asked;
      try {
        await slot.change(async () => {
          await slot.setFilter(filter, show, within);
          // One that took longer than the next is not in force.
          if (mine < inForce) return;
          inForce = mine;
          onFilter({ filter, within });
        });
        return {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
    setOrder: async ({ order }) => {
      try {
        await slot.setOrder(order);
        return {};
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
    checkFilter: async ({ filter }) => {
      const problem = await slot.tail?.checkFilter(filter);
      return problem === undefined ? {} : { problem };
    },
    setDecoder: async ({ field, kind }) => {
      try {
        return await setDecoder(of, field, kind);
      } catch (error) {
        return { error: toUserError(error) };
      }
    },
  };
}

async function setDecoder(
  { slot, subject, decoders }: TailViewing,
  field: PayloadField,
  kind: DecoderKind,
): Promise<{ decoders?: DecoderLabels }> {
  const { tail } = slot;
  const choice = await chooseDecoder(
    kind,
    async (schema) => (await tail?.protobufMessages(schema)) ?? [],
  );
  if (!choice || !tail) return {};
  const { cluster, topic } = subject();
  await slot.change(async () => {
    const choices = { ...decoders.of(cluster.id, topic), [field]: choice };
    await slot.setDecoders(choices);
    await decoders.remember(cluster.id, topic, choices);
  });
  return { decoders: decoderLabels(decoders.of(cluster.id, topic)) };
}
