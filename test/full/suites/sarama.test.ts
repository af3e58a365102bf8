import { describeSuite } from './support/describeSuite.ts';
import { saramaSuite } from './support/saramaSuite.ts';

describeSuite(saramaSuite);
