import { errorCodes } from '../../protocol/errors.ts';
import { connectedClient } from '../connectedClient.ts';
import type { Handler } from '../handler.ts';

/** Version 0 (KIP-714). Kafka tells clients of it only where a plugin takes their metrics. */
export const pushTelemetry: Handler<'pushTelemetry'> = {
  versions: [0, 0],
  isHidden: true,
  async handle(request, context) {
    const error = await context.node.clientTelemetry.push(request, connectedClient(context));
    return { errorCode: errorCodes[error] };
  },
};
