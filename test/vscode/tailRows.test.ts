import { decodingRows } from './rows/decodingRows.ts';
import { findingRows } from './rows/findingRows.ts';
import { sharingRows } from './rows/sharingRows.ts';
import { onBothClusters } from './rows/bothClusters.ts';

onBothClusters('the tail panel in the editor, row by row', (scene) => {
  findingRows(scene);
  decodingRows(scene);
  sharingRows(scene);
});
