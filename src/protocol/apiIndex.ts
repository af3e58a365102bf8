import { type Api, type ApiName, apis } from './apis.ts';
import { isFlexible } from './messageCodec.ts';
import { parseVersions, type Versions } from './versions.ts';

interface NamedApi {
  readonly name: ApiName;
  readonly api: Api;
}

const byKey = new Map<number, NamedApi>(
  (Object.entries(apis) as [ApiName, Api][]).map(([name, api]) => [api.key, { name, api }]),
);

/** The API with this key on the wire, if it is one whose messages we know. */
export function apiByKey(key: number): NamedApi | undefined {
  return byKey.get(key);
}

/** The versions for which we have schemas; what a broker advertises is its own affair. */
export function versionsOf(api: Api): Versions {
  return parseVersions(api.request.versions);
}

/** Version of the request header: 2 has tagged fields. [ApiMessageType.requestHeaderVersion] */
export function requestHeaderVersion(api: Api, version: number): 1 | 2 {
  return isFlexible(api.request, version) ? 2 : 1;
}

/**
 * Version of the response header. ApiVersions always has 0, so that a client can read the answer
 * before it knows what the broker speaks. [KIP-511]
 */
export function responseHeaderVersion(api: Api, version: number): 0 | 1 {
  return api.key !== apis.apiVersions.key && isFlexible(api.response, version) ? 1 : 0;
}
