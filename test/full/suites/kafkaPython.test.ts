import { describeSuite } from './support/describeSuite.ts';
import { kafkaPythonSuite } from './support/kafkaPythonSuite.ts';

describeSuite(kafkaPythonSuite);
