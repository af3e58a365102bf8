import { createHash, createHmac } from 'node:crypto';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { RequestOf, ResponseOf } from '../handler.ts';
import { repeated } from '../repeated.ts';
import { scramMechanismById, scramMechanisms } from '../security/scramMechanisms.ts';
import { type MetadataDecision, metadataRecord, type NewMetadataRecord } from './controller.ts';
import type { MetadataImage } from './metadataImage.ts';

type Request = RequestOf<'alterUserScramCredentials'>;
type Deletion = Request['deletions'][number];
type Upsertion = Request['upsertions'][number];
type Result = NonNullable<ResponseOf<'alterUserScramCredentials'>['results']>[number];

interface Refusal {
  readonly error: ErrorName;
  readonly message: string;
}

/** [ScramMechanism.minIterations, ScramControlManager] */
const minIterations = 4096;
const maxIterations = 16_384;

/** Sets and removes SCRAM credentials; what is wrong with one user does not hold up the others. [ScramControlManager] */
export function alterScramCredentials(
  image: MetadataImage,
  { deletions, upsertions }: Request,
): MetadataDecision<Result[]> {
  const records: NewMetadataRecord[] = [];
  const results: Result[] = [];
  const names = [...deletions, ...upsertions].map(({ name }) => name);
  const duplicates = repeated(names);
  const deletionOf = new Map(deletions.map((each) => [each.name, each]));
  const upsertionOf = new Map(upsertions.map((each) => [each.name, each]));
  for (const name of new Set(names)) {
    const deletion = deletionOf.get(name);
    const upsertion = upsertionOf.get(name);
    const refusal = duplicates.has(name)
      ? refuse(
          'DUPLICATE_RESOURCE',
          'A user credential cannot be altered twice in the same request',
        )
      : ((deletion && deletionRefusal(image, deletion)) ??
        (upsertion && upsertionRefusal(upsertion)));
    if (refusal === undefined && deletion) records.push(removal(deletion));
    if (refusal === undefined && upsertion) records.push(credential(upsertion));
    results.push({
      user: name,
      errorCode: errorCodes[refusal?.error ?? 'NONE'],
      errorMessage: refusal?.message ?? null,
    });
  }
  return { records, result: results };
}

function deletionRefusal(image: MetadataImage, deletion: Deletion): Refusal | undefined {
  const mechanism = scramMechanismById(deletion.mechanism);
  if (deletion.name === '') return emptyName();
  if (mechanism === undefined) return unknownMechanism();
  if (image.scram.of(deletion.name)?.has(mechanism)) return undefined;
  return refuse('RESOURCE_NOT_FOUND', 'Attempt to delete a user credential that does not exist');
}

function upsertionRefusal({ name, mechanism, iterations }: Upsertion): Refusal | undefined {
  if (name === '') return emptyName();
  if (scramMechanismById(mechanism) === undefined) return unknownMechanism();
  if (iterations < minIterations) return refuse('UNACCEPTABLE_CREDENTIAL', 'Too few iterations');
  if (iterations > maxIterations) return refuse('UNACCEPTABLE_CREDENTIAL', 'Too many iterations');
  return undefined;
}

function removal({ name, mechanism }: Deletion): NewMetadataRecord {
  return metadataRecord('removeUserScramCredential', { name, mechanism });
}

/** Only what proves the password is kept [ScramFormatter]. */
function credential({ name, mechanism, iterations, salt, saltedPassword }: Upsertion) {
  const { hash } = scramMechanisms[scramMechanismById(mechanism) ?? 'SCRAM-SHA-256'];
  const hmac = (text: string): Buffer => createHmac(hash, saltedPassword).update(text).digest();
  const storedKey = createHash(hash).update(hmac('Client Key')).digest();
  const serverKey = hmac('Server Key');
  return metadataRecord('userScramCredential', {
    name,
    mechanism,
    salt,
    storedKey,
    serverKey,
    iterations,
  });
}

function emptyName(): Refusal {
  return refuse('UNACCEPTABLE_CREDENTIAL', 'Username must not be empty');
}

function unknownMechanism(): Refusal {
  return refuse('UNSUPPORTED_SASL_MECHANISM', 'Unknown SCRAM mechanism');
}

function refuse(error: ErrorName, message: string): Refusal {
  return { error, message };
}
