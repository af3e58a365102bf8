import { onBothClusters } from './rows/bothClusters.ts';
import { hostileRows } from './rows/hostileRows.ts';
import { producingRows } from './rows/producingRows.ts';

onBothClusters('the produce panel in the editor, row by row', (scene) => {
  producingRows(scene);
  hostileRows(scene);
});
