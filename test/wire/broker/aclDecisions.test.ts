// Our authorizer against Kafka's own class: thousands of decisions about ACLs made at random.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import { type Acl, aclKey } from '../../../src/broker/security/authorizer/acl.ts';
import {
  aclOperations,
  aclResources,
  patternTypes,
  permissions,
} from '../../../src/broker/security/authorizer/aclCodes.ts';
import { AclStore } from '../../../src/broker/security/authorizer/aclStore.ts';
import { hostAddress } from '../../../src/broker/security/authorizer/hostPattern.ts';
import { StandardAuthorizer } from '../../../src/broker/security/authorizer/standardAuthorizer.ts';
import { runJavaProgram } from '../../support/kafka/javaPrograms.ts';

const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 2 ** 31);
const worlds = 150;
const questionsPerWorld = 80;

const names = ['a', 'ab', 'abc', 'abd', 'b', 'ba', 'a-b', 'A', 'aé', 'zz', '*', '*a'];
const principals = [
  'User:alice',
  'User:bob',
  'User:*',
  'Group:alice',
  'User:a:b',
  'User:CN=x, O=y',
];
const clients = principals.filter((principal) => principal !== 'User:*');
const hosts = ['127.0.0.1', '10.1.2.3', '192.168.255.255', '::1', 'fe80::1:2', '2001:db8::ff'];
const hostPatterns = [
  ...['*', '*', '127.0.0.1', '10.1.2.3', '::1', '0:0:0:0:0:0:0:1', '2001:db8:0:0:0:0:0:ff'],
  ...['10.0.0.0/8', '10.1.2.0/30', '127.0.0.1/32', '0.0.0.0/0', '192.168.0.0/17'],
  ...['::/0', '2001:db8::/32', 'fe80::/10', '::1/128', '10.0.0.0/33', 'localhost', '10.0.0.0/x'],
];

class Draw {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  of<T>(values: readonly T[]): T {
    const value = values[this.#random.below(values.length)];
    if (value === undefined) throw new Error('nothing to draw from');
    return value;
  }

  below(count: number): number {
    return this.#random.below(count);
  }

  acl(): Acl {
    return {
      resourceType: this.of([aclResources.topic, aclResources.topic, aclResources.group]),
      resourceName: this.of(names),
      patternType: this.of([patternTypes.literal, patternTypes.prefixed]),
      principal: this.of(principals),
      host: this.of(hostPatterns),
      operation: this.of(Object.values(aclOperations)),
      permissionType: this.of([permissions.allow, permissions.allow, permissions.deny]),
    };
  }
}

interface Comparison {
  /** For Kafka. */
  readonly lines: string[];
  readonly ours: string[];
  /** What was asked, and about what. */
  readonly questions: string[];
}

function compareWorld(draw: Draw, { lines, ours, questions }: Comparison): void {
  const superUser = draw.of(['', 'User:alice', 'User:bob;User:CN=x, O=y']);
  const allowsWithoutAcls = draw.of([true, false]);
  lines.push(['new', superUser, String(allowsWithoutAcls)].join('\t'));
  const store = new AclStore();
  const made = new Map(
    Array.from({ length: draw.below(14) }, () => draw.acl()).map((acl) => [aclKey(acl), acl]),
  );
  for (const [index, acl] of [...made.values()].entries()) {
    store.add(`id-${index}`, acl);
    const { resourceType, resourceName, patternType, principal, host } = acl;
    const place = [resourceType, resourceName, patternType, principal, host];
    lines.push(['acl', ...place, acl.operation, acl.permissionType].join('\t'));
  }
  // What was there and is no more counts for nothing.
  const gone = draw.acl();
  if (!made.has(aclKey(gone))) {
    store.add('gone', gone);
    store.remove('gone');
  }
  const superUsers = new Set(superUser.split(';').filter((user) => user !== ''));
  const authorizer = new StandardAuthorizer({ superUsers, allowsWithoutAcls }, () => store);
  const world = lines.filter((line) => !line.startsWith('may') && !line.startsWith('some'));
  const about = world.slice(world.findLastIndex((line) => line.startsWith('new'))).join('; ');
  for (let i = 0; i < questionsPerWorld; i++) {
    const [principal, address] = [draw.of(clients), draw.of(hosts)];
    const client = { principal, host: hostAddress(`/${address}`) };
    const resourceType = draw.of([aclResources.topic, aclResources.group]);
    const resourceName = draw.of(names);
    const operation = draw.of(Object.values(aclOperations).filter((code) => code !== 2));
    const isSome = draw.below(5) === 0;
    const isAllowed = isSome
      ? authorizer.isAllowedOnSome(client, operation, resourceType)
      : authorizer.isAllowed(client, { operation, resourceType, resourceName });
    const asked = [principal, address, operation, resourceType];
    const line = isSome ? ['some', ...asked] : ['may', ...asked, resourceName];
    lines.push(line.join('\t'));
    ours.push(isAllowed ? 'ALLOWED' : 'DENIED');
    questions.push(`${line.join(' ')} of ${about}`);
  }
}

describe('decisions of the authorizer', function () {
  this.timeout(120_000);

  it(`[A9] are those of Kafka’s StandardAuthorizer, whatever the ACLs (seed ${seed}) (Kafka 4.4)`, async () => {
    const draw = new Draw(seededRandom(seed));
    const comparison: Comparison = { lines: [], ours: [], questions: [] };
    for (let world = 0; world < worlds; world++) compareWorld(draw, comparison);
    const output = await runJavaProgram(
      'AclDecisions',
      Buffer.from(`${comparison.lines.join('\n')}\n`),
    );
    const kafkas = output.toString().trim().split('\n');
    assert.equal(kafkas.length, comparison.ours.length);
    const wrong = comparison.questions.filter((_, i) => kafkas[i] !== comparison.ours[i]);
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} decisions differ`);
    const allowed = kafkas.filter((answer) => answer === 'ALLOWED').length;
    assert.ok(allowed > kafkas.length / 20 && allowed < kafkas.length, `${allowed} are allowed`);
  });
});
