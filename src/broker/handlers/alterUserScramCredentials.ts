import { alterScramCredentials } from '../controller/alterScramCredentials.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, RequestOf } from '../handler.ts';

/** Version 0. [KafkaApis.handleAlterUserScramCredentialsRequest; KIP-554] */
export const alterUserScramCredentials: Handler<'alterUserScramCredentials'> = {
  versions: [0, 0],
  async handle(request, { node, access }) {
    if (!access.may('alter', 'cluster')) return { results: refused(request) };
    const { controller } = node.cluster;
    const results = await controller.change((image) => alterScramCredentials(image, request));
    return { results };
  },
};

function refused({ deletions, upsertions }: RequestOf<'alterUserScramCredentials'>) {
  const users = new Set([...deletions, ...upsertions].map(({ name }) => name));
  const errorMessage = 'Who sets credentials needs the operation alter on the cluster.';
  const errorCode = errorCodes.CLUSTER_AUTHORIZATION_FAILED;
  return [...users].map((user) => ({ user, errorCode, errorMessage }));
}
