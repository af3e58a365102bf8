/** The SCRAM mechanisms with their numbers in records and requests. [ScramMechanism] */
export const scramMechanisms = {
  'SCRAM-SHA-256': { id: 1, hash: 'sha256' },
  'SCRAM-SHA-512': { id: 2, hash: 'sha512' },
} as const;

export type ScramMechanism = keyof typeof scramMechanisms;

export function scramMechanismById(id: number): ScramMechanism | undefined {
  const names = Object.keys(scramMechanisms) as ScramMechanism[];
  return names.find((name) => scramMechanisms[name].id === id);
}

/** What a broker knows of a password: enough to check it, and to prove that it does. [ScramCredential] */
export interface ScramCredential {
  readonly salt: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
  readonly iterations: number;
}
