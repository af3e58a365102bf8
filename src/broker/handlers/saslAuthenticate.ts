import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';
import { SaslRefusal } from '../security/saslExchange.ts';

/**
 * Versions 0-2: 1 for how long the client is authenticated (KIP-368); 2 flexible. Who is refused is told so after
 * a while, and the connection closes. [SaslServerAuthenticator.handleSaslToken]
 */
export const saslAuthenticate: Handler<'saslAuthenticate'> = {
  versions: [0, 2],
  async handle({ authBytes }, { session, closeAfterAnswer }) {
    if (!session.isBetweenTokens)
      return {
        errorCode: errorCodes.ILLEGAL_SASL_STATE,
        errorMessage: 'SaslAuthenticate request received after successful authentication',
        authBytes: Buffer.alloc(0),
      };
    try {
      const { token, lifetimeMs } = await session.authenticate(Buffer.from(authBytes));
      return { errorMessage: '', authBytes: token, sessionLifetimeMs: BigInt(lifetimeMs) };
    } catch (error) {
      if (!(error instanceof SaslRefusal)) throw error;
      await session.delayFailure();
      closeAfterAnswer();
      const errorCode = errorCodes.SASL_AUTHENTICATION_FAILED;
      return { errorCode, errorMessage: error.message, authBytes: Buffer.alloc(0) };
    }
  },
};
