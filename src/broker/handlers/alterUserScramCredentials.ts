import { mapInSteps, type Steps } from '../../base/turns.ts';
import { alterScramCredentials } from '../controller/alterScramCredentials.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
import { answerableError } from '../partitionLookup.ts';

type Request = RequestOf<'alterUserScramCredentials'>;
type Result = NonNullable<ResponseOf<'alterUserScramCredentials'>['results']>[number];

/** Version 0. [KafkaApis.handleAlterUserScramCredentialsRequest; KIP-554] */
export const alterUserScramCredentials: Handler<'alterUserScramCredentials'> = {
  versions: [0, 0],
  async handle(request, { node, access, inTurns }) {
    if (!access.may('alter', 'cluster')) {
      const message = 'Who sets credentials needs the operation alter on the cluster.';
      return { results: await inTurns(failed(request, 'CLUSTER_AUTHORIZATION_FAILED', message)) };
    }
    const { controller } = node.cluster;
    try {
      return { results: await controller.change((image) => alterScramCredentials(image, request)) };
    } catch (error) {
      const name = answerableError(node, 'AlterUserScramCredentials', error);
      return { results: await inTurns(failed(request, name, (error as Error).message)) };
    }
  },
};

/** Each user once. */
function* failed(
  { deletions, upsertions }: Request,
  error: ErrorName,
  errorMessage: string,
): Steps<Result[]> {
  const errorCode = errorCodes[error];
  const users = new Set<string>();
  for (const changes of [deletions, upsertions]) {
    for (const { name } of changes) {
      users.add(name);
      yield;
    }
  }
  return yield* mapInSteps(users, (user) => ({ user, errorCode, errorMessage }));
}
