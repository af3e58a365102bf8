import { onBothClusters } from '../../vscode/rows/bothClusters.ts';
import { decodingRows } from '../../vscode/rows/decodingRows.ts';
import { findingRows } from '../../vscode/rows/findingRows.ts';
import { histogramRows } from '../../vscode/rows/histogramRows.ts';
import { sharingRows } from '../../vscode/rows/sharingRows.ts';

onBothClusters('the tail panel in the editor, row by row', (scene) => {
  findingRows(scene);
  histogramRows(scene);
  decodingRows(scene);
  sharingRows(scene);
});
