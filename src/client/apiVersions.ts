import { t } from '../base/l10n.ts';
import { versionsOf } from '../protocol/apiIndex.ts';
import { type ApiName, apis } from '../protocol/apis.ts';
import { errorCodes } from '../protocol/errors.ts';
import type { Message } from '../protocol/schema.ts';
import { includesVersion, type Versions } from '../protocol/versions.ts';
import { version } from '../version.ts';
import { throwOnError, UnsupportedError } from './kafkaError.ts';

/** Narrower bounds than our schemas', where a caller needs a field that only some versions have. */
export interface VersionBounds {
  readonly minVersion?: number | undefined;
  readonly maxVersion?: number | undefined;
}

/** What one broker said that it speaks. */
export class ApiVersions {
  readonly #ranges = new Map<number, Versions>();
  /** Levels of the cluster's features, such as metadata.version. [KIP-584] */
  readonly finalizedFeatures: ReadonlyMap<string, number>;

  constructor(response: Message<typeof apis.apiVersions.response>) {
    this.finalizedFeatures = new Map(
      response.finalizedFeatures.map(({ name, maxVersionLevel }) => [name, maxVersionLevel]),
    );
    for (const { apiKey, minVersion, maxVersion } of response.apiKeys) {
      this.#ranges.set(apiKey, { min: minVersion, max: maxVersion });
    }
  }

  /** Whether the broker has the API in any version that we have too. */
  supports(api: ApiName, bounds: VersionBounds = {}): boolean {
    return this.#common(api, bounds) !== undefined;
  }

  /** The highest version that both sides have. Throws an UnsupportedError if there is none. */
  negotiate(api: ApiName, bounds: VersionBounds = {}): number {
    const common = this.#common(api, bounds);
    if (common !== undefined) return common;
    const theirs = this.#ranges.get(apis[api].key);
    const needed = includesVersion(apis[api].request.versions, bounds.minVersion ?? 0)
      ? t('{0} or newer', bounds.minVersion ?? 0)
      : apis[api].request.versions;
    throw new UnsupportedError(
      api,
      theirs
        ? t(
            'the server has versions {0} to {1} of the API “{2}”; this needs version {3}',
            theirs.min,
            theirs.max,
            api,
            needed,
          )
        : t('the server does not have the API “{0}”; this needs version {1}', api, needed),
    );
  }

  #common(api: ApiName, bounds: VersionBounds): number | undefined {
    const theirs = this.#ranges.get(apis[api].key);
    if (theirs === undefined) return undefined;
    const ours = versionsOf(apis[api]);
    const max = Math.min(ours.max, theirs.max, bounds.maxVersion ?? ours.max);
    const min = Math.max(ours.min, theirs.min, bounds.minVersion ?? ours.min);
    return min <= max ? max : undefined;
  }
}

/** As brokers' metrics and logs name us. [KIP-511] */
const clientSoftware = { clientSoftwareName: 'kafka-workbench', clientSoftwareVersion: version };

type Asked = typeof clientSoftware;
type Answer = Message<typeof apis.apiVersions.response>;

/** Version 5 also says which node of which cluster is meant, which a bootstrap address does not know. [KIP-1242] */
const askedVersion = 4;

/** Asks ApiVersions, and again at the broker's own version, or 0, if it lacks ours. [KIP-511] */
export async function askVersions(
  ask: (body: Asked, version: number) => Promise<Answer>,
): Promise<ApiVersions> {
  let response = await ask(clientSoftware, askedVersion);
  if (response.errorCode === errorCodes.UNSUPPORTED_VERSION) {
    const offered = response.apiKeys.find(({ apiKey }) => apiKey === apis.apiVersions.key);
    const theirs = Math.max(0, offered?.maxVersion ?? 0);
    response = await ask(clientSoftware, Math.min(askedVersion, theirs));
  }
  throwOnError(response.errorCode, { api: 'apiVersions' });
  return new ApiVersions(response);
}
