import { mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import {
  assertFewEnough,
  type PartitionsPlan,
  planPartitions,
} from '../controller/createPartitions.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { answerableError } from '../partitionLookup.ts';
import { mutationPermits, tooManyMutations } from '../quotas/mutationPermits.ts';
import { isLate, lateMessage } from '../isLate.ts';
import { repeatedInSteps } from '../repeated.ts';
import { RequestError } from '../requestError.ts';

type Topic = RequestOf<'createPartitions'>['topics'][number];
type TopicResponse = NonNullable<ResponseOf<'createPartitions'>['results']>[number];

interface Sorted {
  readonly wanted: readonly Topic[];
  readonly refused: readonly TopicResponse[];
}

const firstVersionWithQuota = 3;
const throttled: PartitionsPlan = {
  records: [],
  error: 'THROTTLING_QUOTA_EXCEEDED',
  message: tooManyMutations,
};

/** Versions 0-3: 2 flexible; 3 THROTTLING_QUOTA_EXCEEDED (KIP-599). [ControllerApis.createPartitions] */
export const createPartitions: Handler<'createPartitions'> = {
  versions: [0, 3],
  async handle({ topics, validateOnly, timeoutMs }, context) {
    const { node } = context;
    const isPermitted = mutationPermits(context, firstVersionWithQuota);
    const { controller, topicRules } = node.cluster;
    const { wanted, refused } = await context.inTurns(sorted(topics, context));
    try {
      if (wanted.length > 0 && isLate({ timeoutMs })) {
        throw new RequestError('REQUEST_TIMED_OUT', lateMessage);
      }
      const results = await controller.change(function* (image) {
        yield* assertFewEnough(image, wanted);
        const rules = topicRules();
        const plans = yield* mapInSteps(wanted, ({ name, count, assignments: chosen }) => {
          const assignments = chosen?.map(({ brokerIds }) => brokerIds) ?? null;
          const plan = planPartitions(image, { name, count, assignments }, rules);
          const isAllowed = plan.error !== 'NONE' || isPermitted(plan.records.length);
          return { name, ...(isAllowed ? plan : throttled) };
        });
        const result = yield* mapInSteps(plans, ({ name, error, message }) => ({
          name,
          errorCode: errorCodes[error],
          errorMessage: message,
        }));
        return { records: validateOnly ? [] : plans.flatMap(({ records }) => records), result };
      });
      return { results: [...results, ...refused] };
    } catch (error) {
      const errorCode = errorCodes[answerableError(node, 'CreatePartitions', error)];
      const errorMessage = (error as Error).message;
      const failed = mapInSteps(topics, ({ name }) => ({ name, errorCode, errorMessage }));
      return { results: await context.inTurns(failed) };
    }
  },
};

/** What the controller is to change, and what it is not asked for. */
function* sorted(topics: readonly Topic[], { access }: RequestContext): Steps<Sorted> {
  const names = yield* mapInSteps(topics, ({ name }) => name);
  const duplicates = yield* repeatedInSteps(names);
  const mayAlter = access.filter('alter', 'topic');
  const refused: TopicResponse[] = yield* mapInSteps(duplicates, (name) => ({
    name,
    errorCode: errorCodes.INVALID_REQUEST,
    errorMessage: 'Duplicate topic name.',
  }));
  const wanted: Topic[] = [];
  for (const topic of topics) {
    yield;
    const { name } = topic;
    if (duplicates.has(name)) continue;
    if (mayAlter(name)) wanted.push(topic);
    else refused.push({ name, errorCode: errorCodes.TOPIC_AUTHORIZATION_FAILED });
  }
  return { wanted, refused };
}
