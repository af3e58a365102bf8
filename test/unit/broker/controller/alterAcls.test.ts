import type { Steps } from '../../../../src/base/turns.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../../src/base/random.ts';
import { randomUuid } from '../../../../src/base/uuid.ts';
import * as controller from '../../../../src/broker/controller/alterAcls.ts';
import { MetadataImage } from '../../../../src/broker/controller/metadataImage.ts';
import {
  type Acl,
  type AclFilter,
  matchesFilter,
} from '../../../../src/broker/security/authorizer/acl.ts';
import { decodeMetadataRecord } from '../../../../src/protocol/records/metadataRecordCodec.ts';

const random = seededRandom(1);

/** Without a pause. */
function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const planNewAcls = (...args: Parameters<typeof controller.planNewAcls>) =>
  atOnce(controller.planNewAcls(...args));
const planAclDeletion = (...args: Parameters<typeof controller.planAclDeletion>) =>
  atOnce(controller.planAclDeletion(...args));

const acl = (resourceName: string): Acl => ({
  resourceType: 2,
  resourceName,
  patternType: 3,
  principal: 'User:alice',
  host: '*',
  operation: 3,
  permissionType: 3,
});

const all: AclFilter = {
  resourceTypeFilter: 1,
  resourceNameFilter: null,
  patternTypeFilter: 1,
  principalFilter: null,
  hostFilter: null,
  operation: 1,
  permissionType: 1,
};

/** Makes ACLs as the controller does; answers how many became records, and the errors. */
function make(image: MetadataImage, acls: readonly Acl[]) {
  const { records, result } = planNewAcls(image.acls, acls, random);
  for (const { value } of records) image.replay(decodeMetadataRecord(value), image.offset + 1n);
  return { made: records.length, errors: new Set(result.map(({ error }) => error)) };
}

describe('the ACLs of the controller', () => {
  it('[A9] are made once, however often they are asked for', () => {
    const image = new MetadataImage();
    const twice = [acl('a'), acl('b'), acl('a')];
    assert.deepEqual(make(image, twice), { made: 2, errors: new Set(['NONE']) });
    assert.deepEqual(make(image, twice), { made: 0, errors: new Set(['NONE']) });
    assert.equal(image.acls.size, 2);
  });

  it('[A9] are at most ten thousand of a request', () => {
    const image = new MetadataImage();
    const many = Array.from({ length: 10_001 }, (_, i) => acl(`t-${i}`));
    assert.deepEqual(make(image, many), { made: 0, errors: new Set(['POLICY_VIOLATION']) });
    assert.equal(make(image, many.slice(1)).made, 10_000);
    make(image, [acl('one more')]);
    const { records, result } = planAclDeletion(image.acls, [all]);
    assert.deepEqual([records.length, result[0]?.error], [0, 'INVALID_REQUEST']);
    const some = planAclDeletion(image.acls, [{ ...all, resourceNameFilter: 't-5' }]);
    assert.deepEqual([some.records.length, some.result[0]?.deleted], [1, [acl('t-5')]]);
  });

  it('[A9] are bounded in number and length, before they take memory', () => {
    const image = new MetadataImage();
    for (let i = 0; i < 100_000; i++) image.acls.add(`id-${i}`, acl(`t-${i}`));
    assert.deepEqual(make(image, [acl('more')]).errors, new Set(['POLICY_VIOLATION']));
    const long = Array.from({ length: 1100 }, (_, i) => acl(`${i}`.padEnd(32_000, 'x')));
    assert.deepEqual(make(new MetadataImage(), long).errors, new Set(['POLICY_VIOLATION']));
    assert.deepEqual(make(new MetadataImage(), long.slice(100)).errors, new Set(['NONE']));
  });

  it('[A9] are deleted once, and told to every filter that finds them', () => {
    const image = new MetadataImage();
    make(image, [acl('a'), acl('b')]);
    const { records, result } = planAclDeletion(image.acls, [all, { ...all, operation: 3 }]);
    assert.equal(records.length, 2);
    assert.deepEqual(
      result.map(({ deleted }) => deleted.length),
      [2, 2],
    );
    for (const { value } of records) image.replay(decodeMetadataRecord(value), image.offset + 1n);
    assert.equal(image.acls.size, 0);
  });

  it('[A9] are found by the names of thousands of filters as by going through all', () => {
    const image = new MetadataImage();
    const names = ['orders', 'ord', 'o', 'Aa', 'BB', '*', 'zebra'];
    make(
      image,
      names.flatMap((name) => [acl(name), { ...acl(name), patternType: 4 }]),
    );
    const filters = [...names, 'orders-eu', 'AaBB', 'BBAa', '*x', 'none'].flatMap((name) =>
      [1, 2, 3, 4].map((pattern) => ({
        ...all,
        resourceNameFilter: name,
        patternTypeFilter: pattern,
      })),
    );
    const found = planAclDeletion(image.acls, filters).result.map(
      ({ deleted }) => new Set(deleted),
    );
    const expected = filters.map(
      (filter) => new Set([...image.acls.values()].filter((each) => matchesFilter(each, filter))),
    );
    assert.deepEqual(found, expected);
  });

  it('[A9] are not compared with filters without end', () => {
    const image = new MetadataImage();
    for (let i = 0; i < 20_000; i++) image.acls.add(randomUuid(random), acl(`t-${i}`));
    const ofNobody = { ...all, principalFilter: 'User:nobody' };
    const many = planAclDeletion(image.acls, Array<AclFilter>(300).fill(ofNobody));
    assert.deepEqual(new Set(many.result.map(({ error }) => error)), new Set(['POLICY_VIOLATION']));
    const named = { ...all, resourceNameFilter: 't-7' };
    const some = planAclDeletion(image.acls, Array<AclFilter>(20_000).fill(named));
    assert.deepEqual([some.records.length, some.result.at(-1)?.deleted], [1, [acl('t-7')]]);
  });
});
