import { systemRandom } from '../../base/random.ts';
import { randomUuidText } from '../../base/uuid.ts';
import { IdempotentProducer } from '../../client/idempotentProducer.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { type ProducedRecord, produce } from '../../client/produce.ts';
import { produceInTransaction } from '../../client/transaction.ts';
import type { ProduceDraft } from '../../shared/contracts/produce.ts';
import { acksOf, recordOf } from './produceDraft.ts';

/** Sends the drafts of one panel as their deliveries say. */
export class DraftDelivery {
  #producer: IdempotentProducer | undefined;
  /** Of this panel alone: two producers with one id would fence each other. */
  readonly #transactionalId = `kafka-workbench-${randomUuidText(systemRandom)}`;

  deliver(client: KafkaClient, draft: ProduceDraft, signal: AbortSignal): Promise<ProducedRecord> {
    const record = recordOf(draft);
    const { compression, delivery, acks } = draft;
    if (delivery === 'plain') {
      return produce(client, record, { compression, acks: acksOf[acks], signal });
    }
    if (delivery === 'idempotent') {
      if (this.#producer?.client !== client) this.#producer = new IdempotentProducer(client);
      return this.#producer.send(record, { compression, signal });
    }
    const outcome = delivery;
    const transactionalId = this.#transactionalId;
    return produceInTransaction(client, record, { compression, signal, transactionalId, outcome });
  }
}
