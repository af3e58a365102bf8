import type { ErrorName } from '../../../protocol/errors.ts';
import { resourceTypes } from '../../controller/metadataImage.ts';
import type { Access } from './access.ts';

/**
 * The error where configs may not be seen or set; what belongs to no topic and no group is the cluster's.
 * [ConfigHelper]
 */
export function configAuthorizationError(
  access: Access,
  operation: 'describeConfigs' | 'alterConfigs',
  { resourceType, resourceName }: { readonly resourceType: number; readonly resourceName: string },
): ErrorName | undefined {
  switch (resourceType) {
    case resourceTypes.topic:
      return access.may(operation, 'topic', resourceName)
        ? undefined
        : 'TOPIC_AUTHORIZATION_FAILED';
    case resourceTypes.group:
      return access.may(operation, 'group', resourceName)
        ? undefined
        : 'GROUP_AUTHORIZATION_FAILED';
    case resourceTypes.broker:
    case resourceTypes.brokerLogger:
    case resourceTypes.clientMetrics:
      return access.may(operation, 'cluster') ? undefined : 'CLUSTER_AUTHORIZATION_FAILED';
    default:
      return undefined;
  }
}
