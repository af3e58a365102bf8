import * as v from 'valibot';
import { profileColors } from '../model.ts';
import { securityProfileSchema } from './profileSecurity.ts';

/** A connection as it is kept: without its secrets. */
export const storedProfile = v.object({
  id: v.string(),
  name: v.string(),
  kind: v.literal('remote'),
  bootstrap: v.array(v.string()),
  readOnly: v.boolean(),
  // Connections from before there was security have none of these.
  security: v.exactOptional(securityProfileSchema),
  isProduction: v.exactOptional(v.boolean()),
  color: v.exactOptional(v.picklist(profileColors)),
});
export type StoredProfile = v.InferOutput<typeof storedProfile>;
