import { describeSuite } from './support/describeSuite.ts';
import { librdkafkaSuite } from './support/librdkafkaSuite.ts';

describeSuite(librdkafkaSuite('classic'));
describeSuite(librdkafkaSuite('consumer'));
