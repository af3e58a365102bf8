import { onBothClusters } from './rows/bothClusters.ts';
import { decodingRows } from './rows/decodingRows.ts';
import { findingRows } from './rows/findingRows.ts';
import { histogramRows } from './rows/histogramRows.ts';
import { largeRows } from './rows/largeRows.ts';
import { sharingRows } from './rows/sharingRows.ts';

onBothClusters('the tail panel in the editor, row by row', (scene) => {
  findingRows(scene);
  histogramRows(scene);
  decodingRows(scene);
  sharingRows(scene);
  largeRows(scene);
});
