import { type Api, type ApiName, apis } from '../../../src/protocol/apis.ts';
import type { Fields, MessageSchema } from '../../../src/protocol/schema.ts';
import { includesVersion } from '../../../src/protocol/versions.ts';

/**
 * The versions of an API that look alike on the wire count as one, named by its first: a version that
 * changes neither message adds nothing that a comparison could show.
 */
export function versionClass(name: ApiName, version: number): number {
  const api: Api = apis[name];
  let first = version;
  while (first > 0 && layoutOf(api, first - 1) === layoutOf(api, version)) first--;
  return first;
}

const layoutOf = ({ request, response }: Api, version: number): string =>
  messageLayout(request, version) + messageLayout(response, version);

function messageLayout({ versions, flexible, fields }: MessageSchema, version: number): string {
  if (!includesVersion(versions, version)) return 'none';
  const isFlexible = includesVersion(flexible, version);
  return `${isFlexible}{${fieldsLayout(fields, version)}}`;
}

function fieldsLayout(fields: Fields, version: number): string {
  return Object.entries(fields)
    .filter(([, field]) => includesVersion(field.versions, version))
    .map(([name, field]) => {
      const isNullable = field.nullable !== undefined && includesVersion(field.nullable, version);
      const inner =
        field.type === 'struct'
          ? field.fields
          : field.type === 'array' && typeof field.items !== 'string'
            ? field.items
            : undefined;
      return `${name}${isNullable ? '?' : ''}${inner ? `(${fieldsLayout(inner, version)})` : ''}`;
    })
    .join();
}
