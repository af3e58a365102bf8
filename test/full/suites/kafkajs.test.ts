import { describeSuite } from './support/describeSuite.ts';
import { kafkajsSuite } from './support/kafkajsSuite.ts';

describeSuite(kafkajsSuite);
