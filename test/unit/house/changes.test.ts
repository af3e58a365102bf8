import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { ROOT, sourcesIn } from '../../support/words.ts';

/** What of the client changes something on a cluster. */
const changing =
  /\b(?:alterConfigs|commitGroupOffsets|createPartitions|createTopic|deleteGroup|deleteGroupOffsets|deleteTopics|IdempotentProducer|produce|produceInTransaction|produceMany)\b/;
const imported = /import (?:type )?\{([^}]*)\} from '[^']*\/client\/[^']*'/g;

/** Who calls it: `session.change` itself, or what only runs within a change. */
const within = [
  'src/cluster/clusterSession.ts',
  'src/cluster/embedded/sampleData.ts',
  'src/cluster/offsets/keptReset.ts',
  'src/cluster/offsets/offsetReset.ts',
  'src/cluster/produce/produceJob.ts',
  'src/cluster/topicConfigs.ts',
  'src/ui/panels/draftDelivery.ts',
];

describe('what changes a cluster', () => {
  it('does so within ClusterSession.change, and so is refused where it is read-only and is in the activity', () => {
    const callers = ['src/cluster', 'src/ui'].flatMap(sourcesIn).filter((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      return [...text.matchAll(imported)].some(([, names = '']) =>
        names.split(',').some((name) => !name.includes('type ') && changing.test(name)),
      );
    });
    assert.deepEqual(callers.sort(), within);
  });
});
