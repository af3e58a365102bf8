import { alterScramCredentials } from '../controller/alterScramCredentials.ts';
import type { Handler } from '../handler.ts';

/** Version 0. [KafkaApis.handleAlterUserScramCredentialsRequest; KIP-554] */
export const alterUserScramCredentials: Handler<'alterUserScramCredentials'> = {
  versions: [0, 0],
  async handle(request, { node }) {
    const { controller } = node.cluster;
    const results = await controller.change((image) => alterScramCredentials(image, request));
    return { results };
  },
};
