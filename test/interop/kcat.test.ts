import { describeClient } from './support/describeClient.ts';
import { connectKcat, kcatRecords } from './support/kcatClient.ts';

describeClient({ name: 'kcat (librdkafka)', connect: connectKcat, records: kcatRecords });
