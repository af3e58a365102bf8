import { describeSuite } from './support/describeSuite.ts';
import { franzGoSuite } from './support/franzGoSuite.ts';

describeSuite(franzGoSuite);
