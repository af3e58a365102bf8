import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import { removeTopic } from '../controller/createPartitions.ts';
import type { NewMetadataRecord } from '../controller/controller.ts';
import type { MetadataImage } from '../controller/metadataImage.ts';
import type { Handler, ResponseOf } from '../handler.ts';

type Answer = NonNullable<ResponseOf<'deleteTopics'>['responses']>[number];

interface Asked {
  readonly name: string | null;
  readonly topicId: string;
}

const firstVersionWithIds = 6;

/** Versions 1-6: 4 flexible; 5 error messages (KIP-599); 6 topics by id (KIP-516). */
export const deleteTopics: Handler<'deleteTopics'> = {
  versions: [1, 6],
  handle({ topics, topicNames }, { node, apiVersion }) {
    const asked: readonly Asked[] =
      apiVersion >= firstVersionWithIds
        ? topics
        : topicNames.map((name) => ({ name, topicId: zeroUuid }));
    const isEnabled = node.cluster.config.boolean('delete.topic.enable');
    return node.cluster.controller.change((image) => {
      const records: NewMetadataRecord[] = [];
      const taken = new Set<string>();
      const responses = asked.map((one): Answer => {
        const topic = one.name === null ? image.topicById(one.topicId) : image.topic(one.name);
        const problem = isEnabled ? problemOf(image, one, taken) : disabled;
        if (problem || !topic) return { ...one, ...problem };
        taken.add(topic.topicId);
        records.push(removeTopic(topic.name, topic.topicId));
        return { name: topic.name, topicId: topic.topicId };
      });
      return { records, result: { responses } };
    });
  },
};

interface Problem {
  readonly errorCode: number;
  readonly errorMessage: string;
}

const problem = (error: ErrorName, errorMessage: string): Problem => ({
  errorCode: errorCodes[error],
  errorMessage,
});

const disabled = problem('TOPIC_DELETION_DISABLED', 'delete.topic.enable is false');

function problemOf(
  image: MetadataImage,
  { name, topicId }: Asked,
  taken: ReadonlySet<string>,
): Problem | undefined {
  if (name !== null && topicId !== zeroUuid) {
    return problem('INVALID_REQUEST', 'You may not specify both topic name and topic id.');
  }
  const topic = name === null ? image.topicById(topicId) : image.topic(name);
  if (!topic) {
    return name === null
      ? problem('UNKNOWN_TOPIC_ID', 'This server does not host this topic ID.')
      : problem('UNKNOWN_TOPIC_OR_PARTITION', 'This server does not host this topic-partition.');
  }
  if (taken.has(topic.topicId)) return problem('INVALID_REQUEST', 'Duplicate topic.');
  return undefined;
}
