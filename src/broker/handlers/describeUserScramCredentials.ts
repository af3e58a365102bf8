import { mapInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, ResponseOf } from '../handler.ts';
import type { MetadataImage } from '../controller/metadataImage.ts';
import { repeatedInSteps } from '../repeated.ts';
import { scramMechanisms } from '../security/scramMechanisms.ts';

type Result = NonNullable<ResponseOf<'describeUserScramCredentials'>['results']>[number];

/** Version 0: mechanisms and iterations, no secrets. [ScramImage.describe; KIP-554] */
export const describeUserScramCredentials: Handler<'describeUserScramCredentials'> = {
  versions: [0, 0],
  isReport: () => true,
  *handle({ users }, { node, access }) {
    if (!access.may('describe', 'cluster')) return unauthorized(users?.length ?? 0);
    const { image } = node;
    const isAll = users === null || users.length === 0;
    const names = isAll ? [...image.scram.users] : users.map(({ name }) => name);
    const duplicates = yield* repeatedInSteps(names);
    const results = yield* mapInSteps(new Set(names), (name) =>
      duplicates.has(name)
        ? refused(
            name,
            'DUPLICATE_RESOURCE',
            `Cannot describe SCRAM credentials for the same user twice in a single request: ${name}`,
          )
        : describeUser(image, name),
    );
    return { errorMessage: '', results };
  },
};

/** Whose credentials these are not is not told either. [DescribeUserScramCredentialsRequest.getErrorResponse] */
function unauthorized(count: number): ResponseOf<'describeUserScramCredentials'> {
  const errorCode = errorCodes.CLUSTER_AUTHORIZATION_FAILED;
  const errorMessage = 'Who describes credentials needs the operation describe on the cluster.';
  const results = Array.from({ length: count }, () => ({ errorCode, errorMessage }));
  return { errorCode, errorMessage, results };
}

function describeUser(image: MetadataImage, user: string): Result {
  const credentials = image.scram.of(user);
  if (credentials === undefined)
    return refused(
      user,
      'RESOURCE_NOT_FOUND',
      `Attempt to describe a user credential that does not exist: ${user}`,
    );
  return {
    user,
    errorMessage: '',
    credentialInfos: [...credentials].map(([mechanism, { iterations }]) => ({
      mechanism: scramMechanisms[mechanism].id,
      iterations,
    })),
  };
}

function refused(
  user: string,
  error: 'DUPLICATE_RESOURCE' | 'RESOURCE_NOT_FOUND',
  errorMessage: string,
): Result {
  return { user, errorCode: errorCodes[error], errorMessage };
}
