import { errorCodes } from '../../protocol/errors.ts';
import { acceptedCompressionTypes, telemetryMaxBytes } from '../clientTelemetry.ts';
import { clientDescription } from '../clientDescription.ts';
import type { Handler } from '../handler.ts';

/** Version 0 (KIP-714). Kafka tells clients of it only where a plugin takes their metrics. */
export const getTelemetrySubscriptions: Handler<'getTelemetrySubscriptions'> = {
  versions: [0, 0],
  isHidden: true,
  handle(request, context) {
    const { clientTelemetry } = context.node;
    const answer = clientTelemetry.subscribe(request.clientInstanceId, clientDescription(context));
    if ('error' in answer) return { errorCode: errorCodes[answer.error] };
    const { clientInstanceId, wanted } = answer;
    return {
      clientInstanceId,
      subscriptionId: wanted.subscriptionId,
      acceptedCompressionTypes,
      pushIntervalMs: wanted.pushIntervalMs,
      telemetryMaxBytes,
      deltaTemporality: true,
      requestedMetrics: [...wanted.metrics],
    };
  },
};
