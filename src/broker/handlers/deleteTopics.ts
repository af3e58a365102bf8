import { filterInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import { removeTopic } from '../controller/createPartitions.ts';
import type { MetadataImage, TopicImage } from '../controller/metadataImage.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { isLate, lateMessage } from '../isLate.ts';
import { answerableError } from '../partitionLookup.ts';
import { mutationPermits, tooManyMutations } from '../quotas/mutationPermits.ts';

type TopicResponse = NonNullable<ResponseOf<'deleteTopics'>['responses']>[number];

interface Asked {
  readonly name: string | null;
  readonly topicId: string;
}

const firstVersionWithIds = 6;
const firstVersionWithDisabled = 3;
const firstVersionWithQuota = 5;

/**
 * Versions 1-6: 1 throttle time; 3 TOPIC_DELETION_DISABLED; 4 flexible; 5 error messages (KIP-599); 6 by topic id
 * (KIP-516). [ControllerApis.deleteTopics]
 */
export const deleteTopics: Handler<'deleteTopics'> = {
  versions: [1, 6],
  async handle(request, context) {
    const asked = askedTopics(request, context.apiVersion);
    const { node, apiVersion } = context;
    if (!node.cluster.config.boolean('delete.topic.enable')) {
      const error =
        apiVersion < firstVersionWithDisabled ? 'INVALID_REQUEST' : 'TOPIC_DELETION_DISABLED';
      const refused = (topic: Asked) => failure(topic, error, 'Topic deletion is disabled.');
      return { responses: await context.inTurns(mapInSteps(asked, refused)) };
    }
    if (isLate(request)) {
      const late = (topic: Asked) => failure(topic, 'REQUEST_TIMED_OUT', lateMessage);
      return { responses: await context.inTurns(mapInSteps(asked, late)) };
    }
    return { responses: await remove(asked, context) };
  },
};

function askedTopics(
  { topicNames, topics }: RequestOf<'deleteTopics'>,
  apiVersion: number,
): readonly Asked[] {
  return apiVersion < firstVersionWithIds
    ? topicNames.map((name) => ({ name, topicId: zeroUuid }))
    : topics;
}

async function remove(asked: readonly Asked[], context: RequestContext): Promise<TopicResponse[]> {
  const { node } = context;
  const isPermitted = mutationPermits(context, firstVersionWithQuota);
  const unauthorized = unauthorizedTopics(context);
  try {
    return await node.cluster.controller.change(function* (image) {
      const found = new Map<Asked, TopicImage>();
      const failures = new Map<Asked, TopicResponse>();
      const { once, duplicates } = yield* onlyOnce(asked);
      const singles = yield* filterInSteps(once, (topic) => isNameOnce(topic, duplicates));
      const byBoth = yield* namedByBoth(singles, image);
      for (const topic of once) {
        yield;
        const refused = refusalOf(topic, duplicates);
        const present =
          topic.name === null ? image.topicById(topic.topicId) : image.topic(topic.name);
        const denied = unauthorized(topic, present);
        if (refused) failures.set(topic, refused);
        else if (denied) failures.set(topic, denied);
        else if (present && byBoth.has(present.topicId)) {
          if (topic.name !== null) failures.set(topic, alreadySupplied(present));
        } else if (!present) failures.set(topic, unknown(topic));
        else if (isPermitted(present.partitions.length)) found.set(topic, present);
        else failures.set(topic, failure(topic, 'THROTTLING_QUOTA_EXCEEDED', tooManyMutations));
      }
      const removed = new Set(found.values());
      const records = yield* mapInSteps(removed, ({ name, topicId }) => removeTopic(name, topicId));
      const answers = yield* mapInSteps(once, (topic) => {
        const present = found.get(topic);
        return failures.get(topic) ?? (present && success(present));
      });
      return { records, result: answers.filter((answer) => answer !== undefined) };
    });
  } catch (error) {
    const name = answerableError(node, 'DeleteTopics', error);
    const { message } = error as Error;
    return context.inTurns(mapInSteps(asked, (topic) => failure(topic, name, message)));
  }
}

/** One of them is given, never both. */
const keyOf = ({ name, topicId }: Asked): string => name ?? `id ${topicId}`;

/** A name or an id that is given again is answered once; what is neither or both, each time. [ControllerApis] */
function* onlyOnce(
  asked: readonly Asked[],
): Steps<{ readonly once: readonly Asked[]; readonly duplicates: ReadonlySet<string> }> {
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  const answered = new Set<string>();
  const once: Asked[] = [];
  for (const topic of asked) {
    const key = keyOf(topic);
    if (seen.has(key)) duplicates.add(key);
    seen.add(key);
    const isNeitherOrBoth = (topic.name === null) === (topic.topicId === zeroUuid);
    if (isNeitherOrBoth || !answered.has(key)) once.push(topic);
    if (!isNeitherOrBoth) answered.add(key);
    yield;
  }
  return { once, duplicates };
}

/** Also of an id: that it is given again makes it no less given. */
function isNameOnce(topic: Asked, duplicates: ReadonlySet<string>): boolean {
  return topic.name === null || !duplicates.has(keyOf(topic));
}

/** Topics that are named and whose ids are given as well: they stay, and are answered once, by name. */
function* namedByBoth(asked: readonly Asked[], image: MetadataImage): Steps<ReadonlySet<string>> {
  const ids = new Set<string>();
  const named = new Set<string>();
  for (const { name, topicId } of asked) {
    if (name === null) ids.add(topicId);
    else if (topicId === zeroUuid) named.add(image.topic(name)?.topicId ?? zeroUuid);
    yield;
  }
  return new Set([...named].filter((id) => ids.has(id)));
}

function alreadySupplied({ name, topicId }: TopicImage): TopicResponse {
  const message = 'The provided topic name maps to an ID that was already supplied.';
  return failure({ name, topicId }, 'INVALID_REQUEST', message);
}

function refusalOf(topic: Asked, duplicates: ReadonlySet<string>): TopicResponse | undefined {
  const { name, topicId } = topic;
  const invalid = (message: string): TopicResponse => failure(topic, 'INVALID_REQUEST', message);
  if (name === null && topicId === zeroUuid) {
    return invalid('Neither topic name nor id were specified.');
  }
  if (name !== null && topicId !== zeroUuid) {
    return invalid('You may not specify both topic name and topic id.');
  }
  if (duplicates.has(keyOf(topic))) {
    return invalid(name === null ? 'Duplicate topic id.' : 'Duplicate topic name.');
  }
  return undefined;
}

/**
 * What may not be deleted is not told from what is not there to who may not describe it, by name; an id of nothing is
 * no secret. [ControllerApis.deleteTopics]
 */
function unauthorizedTopics({ access }: RequestContext) {
  const mayDeleteAll = access.may('delete', 'cluster');
  return (asked: Asked, present: TopicImage | undefined): TopicResponse | undefined => {
    const name = asked.name ?? present?.name;
    if (mayDeleteAll || name === undefined) return undefined;
    const mayDescribe = access.may('describe', 'topic', name);
    const isHidden = !mayDescribe && asked.name === null;
    const mayDelete = access.may('delete', 'topic', name);
    if (mayDescribe && (mayDelete || !present)) return undefined;
    const shown = { name: isHidden ? null : name, topicId: asked.topicId };
    return failure(shown, 'TOPIC_AUTHORIZATION_FAILED', 'Topic authorization failed.');
  };
}

function unknown(topic: Asked): TopicResponse {
  return topic.name === null
    ? failure(topic, 'UNKNOWN_TOPIC_ID', 'This server does not host this topic ID.')
    : failure(
        topic,
        'UNKNOWN_TOPIC_OR_PARTITION',
        'This server does not host this topic-partition.',
      );
}

function success({ name, topicId }: TopicImage): TopicResponse {
  return { name, topicId, errorCode: errorCodes.NONE };
}

function failure({ name, topicId }: Asked, error: ErrorName, message: string): TopicResponse {
  return { name, topicId, errorCode: errorCodes[error], errorMessage: message };
}
