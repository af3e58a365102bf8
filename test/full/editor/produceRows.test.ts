import { onBothClusters } from '../../vscode/rows/bothClusters.ts';
import { hostileRows } from '../../vscode/rows/hostileRows.ts';
import { producingRows } from '../../vscode/rows/producingRows.ts';

onBothClusters('the produce panel in the editor, row by row', (scene) => {
  producingRows(scene);
  hostileRows(scene);
});
