import { mapInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { type PartitionsPlan, planPartitions } from '../controller/createPartitions.ts';
import type { Handler } from '../handler.ts';
import { answerableError } from '../partitionLookup.ts';
import { mutationPermits, tooManyMutations } from '../quotas/mutationPermits.ts';
import { repeated } from '../repeated.ts';

const firstVersionWithQuota = 3;
const throttled: PartitionsPlan = {
  records: [],
  error: 'THROTTLING_QUOTA_EXCEEDED',
  message: tooManyMutations,
};

/** Versions 0-3: 2 flexible; 3 THROTTLING_QUOTA_EXCEEDED (KIP-599). [ControllerApis.createPartitions] */
export const createPartitions: Handler<'createPartitions'> = {
  versions: [0, 3],
  async handle({ topics, validateOnly }, context) {
    const { node } = context;
    const isPermitted = mutationPermits(context, firstVersionWithQuota);
    const { controller, topicRules } = node.cluster;
    const names = topics.map(({ name }) => name);
    const duplicates = repeated(names);
    const mayAlter = context.access.filter('alter', 'topic');
    const once = topics.filter(({ name }) => !duplicates.has(name));
    const wanted = once.filter(({ name }) => mayAlter(name));
    const refused = [
      ...[...duplicates].map((name) => ({
        name,
        errorCode: errorCodes.INVALID_REQUEST,
        errorMessage: 'Duplicate topic name.',
      })),
      ...once
        .filter(({ name }) => !mayAlter(name))
        .map(({ name }) => ({ name, errorCode: errorCodes.TOPIC_AUTHORIZATION_FAILED })),
    ];
    try {
      const results = await controller.change(function* (image) {
        const plans = yield* mapInSteps(wanted, ({ name, count, assignments: chosen }) => {
          const assignments = chosen?.map(({ brokerIds }) => brokerIds) ?? null;
          const plan = planPartitions(image, { name, count, assignments }, topicRules());
          const isAllowed = plan.error !== 'NONE' || isPermitted(plan.records.length);
          return { name, ...(isAllowed ? plan : throttled) };
        });
        return {
          records: validateOnly ? [] : plans.flatMap(({ records }) => records),
          result: plans.map(({ name, error, message }) => ({
            name,
            errorCode: errorCodes[error],
            errorMessage: message,
          })),
        };
      });
      return { results: [...results, ...refused] };
    } catch (error) {
      const errorCode = errorCodes[answerableError(node, 'CreatePartitions', error)];
      const errorMessage = (error as Error).message;
      return { results: names.map((name) => ({ name, errorCode, errorMessage })) };
    }
  },
};
