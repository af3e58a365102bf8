import { createHash, createHmac } from 'node:crypto';
import { mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { RequestOf, ResponseOf } from '../handler.ts';
import { scramMechanismById, scramMechanisms } from '../security/scramMechanisms.ts';
import {
  type MetadataDecision,
  metadataRecord,
  type NewMetadataRecord,
  refuseIfTooLarge,
} from './controller.ts';
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

/**
 * Sets and removes SCRAM credentials; what is wrong with one user does not hold up the others. The first thing that is
 * wrong is told, and two changes of a user are wrong once both are good. [ScramControlManager.alterCredentials]
 */
export function* alterScramCredentials(
  image: MetadataImage,
  { deletions, upsertions }: Request,
): Steps<MetadataDecision<Result[]>> {
  const refusals = new Map<string, Refusal>();
  const changes = new Map<string, () => NewMetadataRecord>();
  const add = (name: string, refusal: Refusal | undefined, record: () => NewMetadataRecord) => {
    if (refusals.has(name)) return;
    const refused = changes.has(name) ? duplicate : refusal;
    if (refused === undefined) changes.set(name, record);
    else refusals.set(name, refused);
  };
  for (const each of deletions) {
    add(each.name, deletionRefusal(image, each), () => removal(each));
    yield;
  }
  for (const each of upsertions) {
    add(each.name, upsertionRefusal(each), () => credential(each));
    yield;
  }
  for (const name of refusals.keys()) {
    changes.delete(name);
    yield;
  }
  refuseIfTooLarge(changes.size);
  const result = yield* mapInSteps([...changes.keys(), ...refusals.keys()], (user): Result => {
    const { error = 'NONE', message = null } = refusals.get(user) ?? {};
    return { user, errorCode: errorCodes[error], errorMessage: message };
  });
  const records = yield* mapInSteps(changes.values(), (record) => record());
  return { records, result };
}

const duplicate = refuse(
  'DUPLICATE_RESOURCE',
  'A user credential cannot be altered twice in the same request',
);

function deletionRefusal(image: MetadataImage, deletion: Deletion): Refusal | undefined {
  const mechanism = scramMechanismById(deletion.mechanism);
  if (deletion.name === '') return emptyName();
  if (mechanism === undefined) return unknownMechanism();
  if (image.scram.of(deletion.name)?.has(mechanism)) return undefined;
  return refuse('RESOURCE_NOT_FOUND', 'Attempt to delete a user credential that does not exist');
}

function upsertionRefusal(upsertion: Upsertion): Refusal | undefined {
  const { name, mechanism, iterations, saltedPassword } = upsertion;
  if (name === '') return emptyName();
  if (scramMechanismById(mechanism) === undefined) return unknownMechanism();
  if (iterations < minIterations) return refuse('UNACCEPTABLE_CREDENTIAL', 'Too few iterations');
  if (iterations > maxIterations) return refuse('UNACCEPTABLE_CREDENTIAL', 'Too many iterations');
  // Kafka fails over it: it is no key of an HMAC. [ScramFormatter.clientKey]
  if (saltedPassword.length === 0)
    return refuse('UNACCEPTABLE_CREDENTIAL', 'The salted password must not be empty');
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
