import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';

/**
 * Versions 0-1: after 0 tokens come bare, after 1 in SaslAuthenticate. A mechanism that is not enabled ends the
 * connection. [SaslServerAuthenticator.handleHandshakeRequest]
 */
export const saslHandshake: Handler<'saslHandshake'> = {
  versions: [0, 1],
  async handle({ mechanism }, { session, apiVersion, closeAfterAnswer }) {
    const error = session.handshake(mechanism, apiVersion);
    const mechanisms = [...session.mechanisms];
    if (error === 'UNSUPPORTED_SASL_MECHANISM') {
      await session.delayFailure();
      closeAfterAnswer();
    }
    return error === 'ILLEGAL_SASL_STATE'
      ? { errorCode: errorCodes.ILLEGAL_SASL_STATE }
      : { errorCode: errorCodes[error ?? 'NONE'], mechanisms };
  },
};
