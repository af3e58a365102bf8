import { apis, type ApiName } from '../../protocol/apis.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { finalizedLevels, supportedFeatures } from '../emulation/emulatedFeatures.ts';
import type { Handler, ResponseOf } from '../handler.ts';
import { unknownSoftware } from '../security/session.ts';

export type ServedVersions = Readonly<
  Partial<Record<ApiName, Pick<Handler<never>, 'versions' | 'advertisedFrom' | 'isHidden'>>>
>;

/** Accepted client software names and versions. [ApiVersionsRequest, KIP-511] */
const softwarePattern = /^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$/;

/**
 * Versions 0-5: 1 throttle time; 3 client software, features, flexible; 4 shows features whose minimum is 0
 * (KAFKA-17011); 5 whom the client means to talk to, so that it learns when that is somebody else (KIP-1242).
 */
export function apiVersionsHandler(
  served: ServedVersions,
  versions: readonly [min: number, max: number],
): Handler<'apiVersions'> {
  return {
    versions,
    handle(request, { node, apiVersion, session }): ResponseOf<'apiVersions'> {
      const { clientSoftwareName, clientSoftwareVersion, clusterId, nodeId } = request;
      const isNamed =
        softwarePattern.test(clientSoftwareName) && softwarePattern.test(clientSoftwareVersion);
      if (apiVersion >= 3 && !isNamed) return { errorCode: errorCodes.INVALID_REQUEST };
      // Who names the cluster names the node. Without either, and before version 5, there is neither.
      if ((clusterId === null) !== (nodeId === -1)) {
        return { errorCode: errorCodes.INVALID_REQUEST };
      }
      const isMeant = clusterId === node.cluster.clusterId && nodeId === node.id;
      // Who has to authenticate first is not asked whom it means.
      const isAsked = clusterId !== null && !session.isBeforeTokens;
      session.tellVersions(
        apiVersion >= 3
          ? { name: clientSoftwareName, version: clientSoftwareVersion }
          : unknownSoftware,
      );
      if (isAsked && !isMeant) return { errorCode: errorCodes.REBOOTSTRAP_REQUIRED };
      return {
        apiKeys: servedVersions({ ...served, apiVersions: this }),
        supportedFeatures: supportedFeatures(node.cluster.emulation)
          .filter(({ min }) => apiVersion >= 4 || min > 0)
          .map(({ name, min, max }) => ({ name, minVersion: min, maxVersion: max })),
        finalizedFeaturesEpoch: node.image.offset,
        finalizedFeatures: [...finalizedLevels(node.image.features, node.cluster.emulation)].map(
          ([name, level]) => ({
            name,
            minVersionLevel: level,
            maxVersionLevel: level,
          }),
        ),
      };
    },
  };
}

function servedVersions(served: ServedVersions): NonNullable<ResponseOf<'apiVersions'>['apiKeys']> {
  const names = Object.keys(served) as ApiName[];
  return names
    .filter((name) => !served[name]?.isHidden)
    .map((name) => {
      const [min = 0, max = 0] = served[name]?.versions ?? [];
      const minVersion = served[name]?.advertisedFrom ?? min;
      return { apiKey: apis[name].key, minVersion, maxVersion: max };
    })
    .sort((left, right) => left.apiKey - right.apiKey);
}
