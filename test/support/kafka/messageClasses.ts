// The schemas that have a class in Kafka, with the jar that holds its definition and the class's name.
import { apis } from '../../../src/protocol/apis.ts';
import { requestHeader, responseHeader } from '../../../src/protocol/messages/headers.ts';
import * as consumerGroupRecords from '../../../src/protocol/records/consumerGroupRecords.ts';
import * as consumerProtocol from '../../../src/protocol/records/consumerProtocol.ts';
import * as controlRecords from '../../../src/protocol/records/controlRecords.ts';
import * as metadataRecords from '../../../src/protocol/records/metadataRecords.ts';
import * as offsetRecords from '../../../src/protocol/records/offsetRecords.ts';
import * as transactionRecords from '../../../src/protocol/records/transactionRecords.ts';
import type { MessageSchema } from '../../../src/protocol/schema.ts';

export interface MessageClass {
  readonly schema: MessageSchema;
  readonly jar: string;
  /** Path of Kafka's definition in the jar. */
  readonly definition: string;
  readonly className: string;
  /** Key of the API, or undefined for what is not a request or response. */
  readonly apiKey?: number;
}

/** Every schema there is; a new one in these modules is found by itself. */
export function messageClasses(): MessageClass[] {
  return [
    ...Object.values(apis).flatMap(({ key, request, response }) => [
      { ...clientMessage(request, 'Data'), apiKey: key },
      { ...clientMessage(response, 'Data'), apiKey: key },
    ]),
    ...[requestHeader, responseHeader].map((schema) => clientMessage(schema, 'Data')),
    ...schemasIn(consumerProtocol).map((schema) => clientMessage(schema)),
    ...schemasIn(controlRecords).map((schema) => clientMessage(schema)),
    ...[...schemasIn(offsetRecords), ...schemasIn(consumerGroupRecords)].map((schema) => ({
      schema,
      jar: 'kafka-group-coordinator',
      definition: `common/message/${schema.name}.json`,
      className: `org.apache.kafka.coordinator.group.generated.${schema.name}`,
    })),
    ...schemasIn(transactionRecords).map((schema) => ({
      schema,
      jar: 'kafka-transaction-coordinator',
      definition: `common/message/${schema.name}.json`,
      className: `org.apache.kafka.coordinator.transaction.generated.${schema.name}`,
    })),
    ...schemasIn(metadataRecords).map((schema) => ({
      schema,
      jar: 'kafka-metadata',
      definition: `common/metadata/${schema.name}.json`,
      className: `org.apache.kafka.common.metadata.${schema.name}`,
    })),
  ];
}

function clientMessage(schema: MessageSchema, suffix = ''): MessageClass {
  return {
    schema,
    jar: 'kafka-clients',
    definition: `common/message/${schema.name}.json`,
    className: `org.apache.kafka.common.message.${schema.name}${suffix}`,
  };
}

function schemasIn(module: object): MessageSchema[] {
  return Object.values(module).filter(
    (value): value is MessageSchema =>
      typeof value === 'object' && value !== null && 'fields' in value && 'versions' in value,
  );
}
