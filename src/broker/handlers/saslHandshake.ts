import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';

/** Versions 0-1. The listener is PLAINTEXT: nobody authenticates here. [KafkaApis.handleSaslHandshakeRequest] */
export const saslHandshake: Handler<'saslHandshake'> = {
  versions: [0, 1],
  handle: () => ({ errorCode: errorCodes.ILLEGAL_SASL_STATE }),
};
