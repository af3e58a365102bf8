import { describeSuite } from './support/describeSuite.ts';
import { kafkaPythonSecuritySuite, kafkaPythonSuite } from './support/kafkaPythonSuite.ts';

describeSuite(kafkaPythonSuite);
describeSuite(kafkaPythonSecuritySuite);
