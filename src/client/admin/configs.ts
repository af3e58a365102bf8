import type { KafkaClient } from '../kafkaClient.ts';
import { throwOnError } from '../kafkaError.ts';
import type { CallOptions, RequestOf, Target } from '../request.ts';

/** Whose configs: a topic's by name, or a broker's by id. */
export type ConfigResource =
  | { readonly kind: 'topic'; readonly name: string }
  | { readonly kind: 'broker'; readonly id: number };

export interface ConfigEntry {
  readonly name: string;
  /** Null: not set, or a secret. */
  readonly value: string | null;
  readonly isReadOnly: boolean;
  readonly isSensitive: boolean;
  readonly isDefault: boolean;
  readonly documentation: string | null;
}

export interface ConfigChange {
  readonly name: string;
  /** Null: back to the default. */
  readonly value: string | null;
}

const topicResource = 2;
const brokerResource = 4;
/** DescribeConfigsResponse.ConfigSource: what was set for this very topic or broker. */
const ownSources = { topic: 1, broker: 2 } as const;
const operations = { set: 0, delete: 1 } as const;

function wireResource(resource: ConfigResource): {
  resourceType: number;
  resourceName: string;
} {
  return resource.kind === 'topic'
    ? { resourceType: topicResource, resourceName: resource.name }
    : { resourceType: brokerResource, resourceName: String(resource.id) };
}

function topicOf(resource: ConfigResource): string | undefined {
  return resource.kind === 'topic' ? resource.name : undefined;
}

/** A broker's own configs are known to that broker alone. */
function targetOf(resource: ConfigResource): Target {
  return resource.kind === 'broker' ? resource.id : 'any';
}

/** Every config of a topic or broker, by name. */
export async function describeConfigs(
  client: KafkaClient,
  resource: ConfigResource,
  options: CallOptions = {},
): Promise<ConfigEntry[]> {
  const body = (version: number): RequestOf<'describeConfigs'> => ({
    resources: [{ ...wireResource(resource), configurationKeys: null }],
    includeDocumentation: version >= 3,
  });
  return client.retry(async (call) => {
    const to = targetOf(resource);
    const { results } = await client.request('describeConfigs', body, { to, ...call });
    return results.flatMap(({ errorCode, errorMessage: detail, configs }) => {
      throwOnError(errorCode, { api: 'describeConfigs', topic: topicOf(resource), detail });
      return configs.map((entry) => ({
        name: entry.name,
        value: entry.value,
        isReadOnly: entry.readOnly,
        isSensitive: entry.isSensitive,
        isDefault: entry.configSource !== ownSources[resource.kind],
        documentation: entry.documentation,
      }));
    });
  }, options);
}

/**
 * Changes the named configs and leaves the others. The server validates; nothing changes if one is refused. [KIP-339]
 */
export async function alterConfigs(
  client: KafkaClient,
  resource: ConfigResource,
  changes: readonly ConfigChange[],
  options: CallOptions & { readonly validateOnly?: boolean } = {},
): Promise<void> {
  const configs = changes.map(({ name, value }) => ({
    name,
    value,
    configOperation: value === null ? operations.delete : operations.set,
  }));
  const body = {
    resources: [{ ...wireResource(resource), configs }],
    validateOnly: options.validateOnly ?? false,
  };
  await client.retry(async (call) => {
    const to = resource.kind === 'broker' ? resource.id : 'controller';
    const { responses } = await client.request('incrementalAlterConfigs', body, { to, ...call });
    for (const { errorCode, errorMessage: detail } of responses) {
      throwOnError(errorCode, { api: 'incrementalAlterConfigs', topic: topicOf(resource), detail });
    }
  }, options);
}
