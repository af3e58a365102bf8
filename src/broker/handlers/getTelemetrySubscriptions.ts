import { errorCodes } from '../../protocol/errors.ts';
import { acceptedCompressionTypes } from '../clientTelemetry.ts';
import { connectedClient } from '../connectedClient.ts';
import type { Handler } from '../handler.ts';

/** Version 0 (KIP-714). Kafka tells clients of it only where a plugin takes their metrics. */
export const getTelemetrySubscriptions: Handler<'getTelemetrySubscriptions'> = {
  versions: [0, 0],
  isHidden: true,
  handle(request, context) {
    const { clientTelemetry } = context.node;
    const answer = clientTelemetry.subscribe(request.clientInstanceId, connectedClient(context));
    if ('error' in answer) return { errorCode: errorCodes[answer.error] };
    const { clientInstanceId, wanted } = answer;
    return {
      clientInstanceId,
      subscriptionId: wanted.subscriptionId,
      acceptedCompressionTypes,
      pushIntervalMs: wanted.pushIntervalMs,
      telemetryMaxBytes: clientTelemetry.maxBytes,
      deltaTemporality: true,
      requestedMetrics: [...wanted.metrics],
    };
  },
};
