import type { Api } from '../../protocol/apis.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { includesVersion } from '../../protocol/versions.ts';

/** The answer with one error for all that was asked; undefined where the API has none. */
export function errorResponse(
  api: Api,
  version: number,
  error: ErrorName,
): { errorCode: number } | undefined {
  const field = api.response.fields['errorCode'];
  return field && includesVersion(field.versions, version)
    ? { errorCode: errorCodes[error] }
    : undefined;
}
