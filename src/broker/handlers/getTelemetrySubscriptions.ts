import { errorCodes } from '../../protocol/errors.ts';
import {
  acceptedCompressionTypes,
  pushIntervalMs,
  subscriptionIdOf,
  telemetryMaxBytes,
} from '../clientTelemetry.ts';
import type { Handler } from '../handler.ts';

/** Version 0 (KIP-714). Kafka tells clients of it only where a plugin takes their metrics. */
export const getTelemetrySubscriptions: Handler<'getTelemetrySubscriptions'> = {
  versions: [0, 0],
  isHidden: true,
  handle(request, { node }) {
    const { error, clientInstanceId } = node.clientTelemetry.subscribe(request.clientInstanceId);
    if (error !== 'NONE') return { errorCode: errorCodes[error] };
    return {
      clientInstanceId,
      subscriptionId: subscriptionIdOf(clientInstanceId),
      acceptedCompressionTypes,
      pushIntervalMs,
      telemetryMaxBytes,
      deltaTemporality: true,
    };
  },
};
