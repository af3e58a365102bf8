import { createHash, createHmac } from 'node:crypto';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { RequestOf, ResponseOf } from '../handler.ts';
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
  for (const [user, planned] of changesByUser(image, { deletions, upsertions })) {
    const refusal = 'error' in planned ? planned : undefined;
    if (!('error' in planned)) records.push(planned.record());
    results.push({
      user,
      errorCode: errorCodes[refusal?.error ?? 'NONE'],
      errorMessage: refusal?.message ?? null,
    });
  }
  return { records, result: results };
}

interface Change {
  readonly record: () => NewMetadataRecord;
}

/** A user's first change that is wrong is what it hears of; a second one that is not, is one too many. */
function changesByUser(
  image: MetadataImage,
  { deletions, upsertions }: Pick<Request, 'deletions' | 'upsertions'>,
): ReadonlyMap<string, Change | Refusal> {
  const users = new Map<string, Change | Refusal>();
  const take = (name: string, refusal: () => Refusal | undefined, change: Change): void => {
    const before = users.get(name);
    if (before === undefined) users.set(name, refusal() ?? change);
    else if (!('error' in before)) users.set(name, alteredTwice());
  };
  for (const each of deletions) {
    take(each.name, () => deletionRefusal(image, each), { record: () => removal(each) });
  }
  for (const each of upsertions) {
    take(each.name, () => upsertionRefusal(each), { record: () => credential(each) });
  }
  return users;
}

function alteredTwice(): Refusal {
  const message = 'A user credential cannot be altered twice in the same request';
  return refuse('DUPLICATE_RESOURCE', message);
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
