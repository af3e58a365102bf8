// How much of a long list a handler goes through before others have their turn, whatever the machine's speed.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../../src/base/random.ts';
import { isSteps, type Steps } from '../../../../src/base/turns.ts';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';
import { MetadataImage } from '../../../../src/broker/controller/metadataImage.ts';
import type { Handler, RequestContext, RequestOf } from '../../../../src/broker/handler.ts';
import { alterConfigs } from '../../../../src/broker/handlers/alterConfigs.ts';
import { consumerGroupDescribe } from '../../../../src/broker/handlers/consumerGroupDescribe.ts';
import { createAcls } from '../../../../src/broker/handlers/createAcls.ts';
import { deleteAcls } from '../../../../src/broker/handlers/deleteAcls.ts';
import { describeGroups } from '../../../../src/broker/handlers/describeGroups.ts';
import { incrementalAlterConfigs } from '../../../../src/broker/handlers/incrementalAlterConfigs.ts';
import { listTransactions } from '../../../../src/broker/handlers/listTransactions.ts';
import { listTransactions as transactionsOf } from '../../../../src/coordinator/transaction/transactionQueries.ts';
import type { ApiName } from '../../../../src/protocol/apis.ts';

const count = 1000;
const numbers = Array.from({ length: count }, (_, n) => n);

/** Counts the items that are read from lists between two steps. */
class Reads {
  most = 0;
  #sinceStep = 0;

  list<T>(items: T[]): T[] {
    return new Proxy(items, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) this.#count();
        return Reflect.get(target, key) as unknown;
      },
    });
  }

  #count(): void {
    this.most = Math.max(this.most, ++this.#sinceStep);
  }

  readonly run = <T>(steps: Steps<T>): Promise<T> => {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return Promise.resolve(value);
      this.#sinceStep = 0;
    }
  };
}

interface Asking<A extends ApiName> {
  readonly handler: Handler<A>;
  readonly request: (list: <T>(items: T[]) => T[]) => object;
  /** Whether who asks may do it. */
  readonly may?: boolean;
}

/** The most items that are read before others have their turn. */
async function mostAtOnce<A extends ApiName>({
  handler,
  request,
  may = true,
}: Asking<A>): Promise<number> {
  const reads = new Reads();
  const { run } = reads;
  const image = new MetadataImage();
  const groups = (asked: readonly string[]) =>
    Promise.resolve({ groups: reads.list(asked.map((groupId) => ({ groupId }))) });
  const context = {
    apiVersion: 6,
    inTurns: run,
    access: { isOpen: false, may: () => may, filter: () => () => may, operations: () => 0 },
    node: {
      id: 1,
      groupCoordinator: {
        reports: {
          describeGroups: (asked: { groups: string[] }) => groups(asked.groups),
          consumerGroupDescribe: (asked: { groupIds: string[] }) => groups(asked.groupIds),
        },
      },
      transactions: {
        coordinator: {
          listTransactions: (asked: RequestOf<'listTransactions'>) => transactionsOf([], asked, 0n),
        },
      },
      cluster: {
        config: new BrokerConfig(),
        random: seededRandom(1),
        controller: {
          image,
          change: async <T>(decide: (image: MetadataImage) => Steps<{ result: T }>) =>
            (await run(decide(image))).result,
        },
      },
    },
  } as unknown as RequestContext;
  const asked = request((items) => reads.list(items)) as RequestOf<A>;
  const answered = handler.handle(asked, context);
  await (isSteps(answered) ? run(answered) : answered);
  return reads.most;
}

const aclFilter = {
  resourceTypeFilter: 2,
  resourceNameFilter: 'a',
  patternTypeFilter: 3,
  principalFilter: null,
  hostFilter: null,
  operation: 1,
  permissionType: 1,
};
const acl = (n: number) => ({
  resourceType: 2,
  resourceName: `topic-${n}`,
  resourcePatternType: 3,
  principal: 'User:alice',
  host: '*',
  operation: 3,
  permissionType: 3,
});
const config = (n: number) => ({ name: `config-${n}`, configOperation: 0, value: '1' });

type Lists = <T>(items: T[]) => T[];
const asked: Readonly<Record<string, Asking<never>>> = {
  'DescribeGroups of many groups': {
    handler: describeGroups as Handler<never>,
    request: (list: Lists) => ({
      groups: list(numbers.map(String)),
      includeAuthorizedOperations: true,
    }),
  },
  'ConsumerGroupDescribe of many groups': {
    handler: consumerGroupDescribe as Handler<never>,
    request: (list: Lists) => ({ groupIds: list(numbers.map(String)) }),
  },
  'ListTransactions of many states': {
    handler: listTransactions as Handler<never>,
    request: (list: Lists) => ({
      stateFilters: list(numbers.map(String)),
      producerIdFilters: [],
      durationFilter: -1n,
      transactionalIdPattern: null,
    }),
  },
  'ListTransactions of many producers': {
    handler: listTransactions as Handler<never>,
    request: (list: Lists) => ({
      stateFilters: [],
      producerIdFilters: list(numbers.map(BigInt)),
      durationFilter: -1n,
      transactionalIdPattern: null,
    }),
  },
  'CreateAcls of many': {
    handler: createAcls as Handler<never>,
    request: (list: Lists) => ({ creations: list(numbers.map(acl)) }),
  },
  'CreateAcls that may not be': {
    handler: createAcls as Handler<never>,
    may: false,
    request: (list: Lists) => ({ creations: list(numbers.map(acl)) }),
  },
  'DeleteAcls with many filters': {
    handler: deleteAcls as Handler<never>,
    request: (list: Lists) => ({ filters: list(numbers.map(() => aclFilter)) }),
  },
  'DeleteAcls that may not be': {
    handler: deleteAcls as Handler<never>,
    may: false,
    request: (list: Lists) => ({ filters: list(numbers.map(() => aclFilter)) }),
  },
  'AlterConfigs of many names of one resource': {
    handler: alterConfigs as Handler<never>,
    request: (list: Lists) => ({
      resources: [{ resourceType: 2, resourceName: 'a', configs: list(numbers.map(config)) }],
    }),
  },
  'IncrementalAlterConfigs of many names of one resource': {
    handler: incrementalAlterConfigs as Handler<never>,
    request: (list: Lists) => ({
      resources: [{ resourceType: 2, resourceName: 'a', configs: list(numbers.map(config)) }],
    }),
  },
  'IncrementalAlterConfigs of many resources': {
    handler: incrementalAlterConfigs as Handler<never>,
    request: (list: Lists) => ({
      resources: list(
        numbers.map((n) => ({ resourceType: 2 + (n % 3), resourceName: `${n}`, configs: [] })),
      ),
    }),
  },
};

describe('Others have their turn within a long request', () => {
  for (const [what, asking] of Object.entries(asked)) {
    it(`[A3] ${what}`, async () => {
      assert.ok((await mostAtOnce(asking)) < 50);
    });
  }
});
