// Client quotas and SCRAM users.
import type { Run, Scenarios } from '../support/run.ts';

const exact = 0;
const byDefault = 1;
const any = 2;

interface Op {
  readonly key: string;
  readonly value?: number;
  readonly remove?: boolean;
}

const alter = (entity: Record<string, string | null>, ops: readonly Op[]) => ({
  entries: [
    {
      entity: Object.entries(entity).map(([entityType, entityName]) => ({
        entityType,
        entityName,
      })),
      ops: ops.map(({ key, value = 0, remove = false }) => ({ key, value, remove })),
    },
  ],
});

const filter = (entityType: string, matchType: number, match: string | null = null) => ({
  entityType,
  matchType,
  match,
});

async function shown(run: Run, user: string, isThere: boolean): Promise<void> {
  await run.until(
    ['describeClientQuotas', 1, { components: [filter('user', exact, user)] }],
    ({ entries }) => (entries !== null && entries.length > 0) === isThere,
  );
}

const tenThousand: Op = { key: 'connection_creation_rate', value: 10_000 };

/** None of them leads to the name service, nor to an interface. */
const addresses = [
  ...['localhost', 'LOCALHOST', '127.1', '127.0.1', '2130706433', '0', '4294967295', '1.16777215'],
  ...['1.2.65535', '127.0.0.01', '010.1.1.1', '00000127.0.0.1', '::1', '[::1]', '::', '::1%99'],
  ...['fe80::1%01', 'fe80::1%2147483647', '[::1%1]', '0:0:0:0:0:0:0:00001', '::1.2.3.04'],
  ...['::ffff:1.2.3.4', '[::ffff:1.2.3.4]', '::FFFF:102:304', 'ABCD::1', '1:2:3:4:5:6:7::'],
];
const notAddresses = [
  ...['no such host', '4294967296', '1.16777216', '1.2.65536', '1.2.3.256', '256.1', '0x7f.1'],
  ...['0000000127.0.0.1', '1.2.3.4.5', '1.2.3.', '.1', ' 127.0.0.1', '1.2.3.4%1', '[1.2.3.4]'],
  ...['%1', '%', '::1%', '[::1', '[]', '[::1]%1', 'fe80::1%nosuch', 'fe80::1%-1', '::1%1%1'],
  ...['fe80::1%2147483648', '::ffff:1.2.3.4%1', '::ffff:1.2.3.4%0', '::ffff:127.1', ':', ':1'],
  ...['1:2:3:4:5:6:7', '1::2::3', '::12345', '1:2:3:4:5:6:7:1.2.3.4', '::0x1', '1.2.3.4/32'],
  ...['127.0.0.1:9092'],
];

const sha256 = 1;

export const quotaScenarios: Scenarios = {
  async 'AlterClientQuotas sets and removes'(run) {
    for (const version of run.versions('alterClientQuotas')) {
      const user = run.fresh('user');
      await run.ask(
        'alterClientQuotas',
        version,
        alter({ user }, [{ key: 'producer_byte_rate', value: 1024 }]),
      );
      await shown(run, user, true);
      const both = { user, 'client-id': 'app' };
      await run.ask(
        'alterClientQuotas',
        version,
        alter(both, [
          { key: 'request_percentage', value: 50 },
          { key: 'consumer_byte_rate', value: 10 },
        ]),
      );
      await run.ask('alterClientQuotas', version, {
        ...alter({ user }, [{ key: 'producer_byte_rate', value: 1 }]),
        validateOnly: true,
      });
      await run.until(
        [
          'describeClientQuotas',
          1,
          { components: [filter('user', exact, user), filter('client-id', any)] },
        ],
        ({ entries }) => entries !== null && entries.length === 1,
      );
      for (const each of run.versions('describeClientQuotas'))
        for (const strict of [false, true]) {
          await run.ask('describeClientQuotas', each, {
            components: [filter('user', exact, user)],
            strict,
          });
          await run.ask('describeClientQuotas', each, {
            components: [filter('user', exact, user), filter('client-id', exact, 'app')],
            strict,
          });
          await run.ask('describeClientQuotas', each, {
            components: [filter('user', exact, user), filter('client-id', byDefault)],
            strict,
          });
        }
      await run.ask(
        'alterClientQuotas',
        version,
        alter(both, [
          { key: 'request_percentage', remove: true },
          { key: 'consumer_byte_rate', remove: true },
        ]),
      );
      await run.ask(
        'alterClientQuotas',
        version,
        alter({ user }, [{ key: 'producer_byte_rate', remove: true }]),
      );
      await shown(run, user, false);
    }
  },

  async 'AlterClientQuotas of an address, however it is written'(run) {
    for (const ip of [...addresses, ...notAddresses]) {
      const request = { ...alter({ ip }, [tenThousand]), validateOnly: true };
      await run.last('alterClientQuotas', request, { label: ip });
    }
  },

  async 'DescribeClientQuotas tells addresses as they were written'(run) {
    for (const ip of addresses) {
      const all = { components: [filter('ip', exact, ip)] };
      await run.last('alterClientQuotas', alter({ ip }, [tenThousand]), { label: ip });
      await run.until(['describeClientQuotas', 1, all], ({ entries }) => entries?.length === 1, ip);
      await run.last('alterClientQuotas', alter({ ip }, [{ ...tenThousand, remove: true }]));
      await run.until(['describeClientQuotas', 1, all], ({ entries }) => entries?.length === 0);
    }
  },

  async 'AlterClientQuotas refuses'(run) {
    const user = run.fresh('user');
    const rate: Op = { key: 'producer_byte_rate', value: 10 };
    const cases = {
      'an unknown key': alter({ user }, [{ key: 'no_such_key', value: 1 }]),
      'an unknown entity': alter({ planet: 'earth' }, [rate]),
      'no entity': alter({}, [rate]),
      'an ip and a user': alter({ user, ip: '127.0.0.1' }, [rate]),
      'a key that is not for an ip': alter({ ip: '127.0.0.1' }, [rate]),
      'an ip that is none': alter({ ip: 'here' }, [{ key: 'connection_creation_rate', value: 1 }]),
      'below zero': alter({ user }, [{ key: 'producer_byte_rate', value: -1 }]),
      'a fraction of a byte': alter({ user }, [{ key: 'producer_byte_rate', value: 0.5 }]),
      'not a number': alter({ user }, [{ key: 'request_percentage', value: Number.NaN }]),
      'no end': alter({ user }, [{ key: 'request_percentage', value: Infinity }]),
      'almost a whole number': alter({ user }, [{ key: 'producer_byte_rate', value: 1.0000001 }]),
      'less than a whole number': alter({ user }, [
        { key: 'producer_byte_rate', value: 0.9999999 },
      ]),
      'more than an int64': alter({ user }, [{ key: 'producer_byte_rate', value: 1e19 }]),
      'more than an int32': alter({ ip: '127.0.0.1' }, [
        { key: 'connection_creation_rate', value: 1e18 },
      ]),
      'the same key twice': alter({ user }, [rate, { ...rate, value: 20 }]),
      'removing what is not there': alter({ user }, [{ key: 'producer_byte_rate', remove: true }]),
      'an empty name': alter({ user: '' }, [rate]),
      nothing: { entries: [] },
    };
    for (const [label, request] of Object.entries(cases))
      await run.each('alterClientQuotas', () => ({ ...request, validateOnly: true }), label);
  },

  async 'DescribeClientQuotas refuses'(run) {
    const cases = {
      'an unknown entity': [filter('planet', exact, 'earth')],
      'an ip and a user': [filter('ip', any), filter('user', any)],
      'the same twice': [filter('user', any), filter('user', byDefault)],
      'no match': [filter('user', exact, null)],
      'a match too many': [filter('user', any, 'x')],
      'a match type that is not there': [filter('user', 9)],
      'an empty type': [filter('', any)],
    };
    for (const [label, components] of Object.entries(cases))
      for (const version of run.versions('describeClientQuotas'))
        await run.closing('describeClientQuotas', version, { components }, label);
  },
};

const upsert = (name: string, more: object = {}) => ({
  name,
  mechanism: sha256,
  iterations: 4096,
  salt: Buffer.from('salt'),
  saltedPassword: Buffer.from('password'),
  ...more,
});

export const scramScenarios: Scenarios = {
  async 'SCRAM users are made, shown and deleted'(run) {
    const name = run.fresh('user');
    await run.each('alterUserScramCredentials', () => ({
      deletions: [],
      upsertions: [upsert(name)],
    }));
    await run.each('alterUserScramCredentials', () => ({
      deletions: [],
      upsertions: [upsert(name, { mechanism: 2, iterations: 8192 })],
    }));
    await run.until(
      ['describeUserScramCredentials', 0, { users: [{ name }] }],
      ({ results: [result] }) => result?.credentialInfos.length === 2,
    );
    await run.last('describeUserScramCredentials', {
      users: [{ name }, { name: run.fresh('nobody') }],
    });
    await run.last('describeUserScramCredentials', { users: [{ name }, { name }] });
    for (const mechanism of [1, 2])
      await run.last('alterUserScramCredentials', {
        deletions: [{ name, mechanism }],
        upsertions: [],
      });
    await run.until(
      ['describeUserScramCredentials', 0, { users: [{ name }] }],
      ({ results: [result] }) => result?.errorCode !== 0,
    );
  },

  async 'SCRAM users that are refused'(run) {
    const name = run.fresh('user');
    const cases = {
      'too few iterations': upsert(name, { iterations: 100 }),
      'too many iterations': upsert(name, { iterations: 16_385 }),
      'an unknown mechanism': upsert(name, { mechanism: 7 }),
      'no name': upsert(''),
      'no salt': upsert(name, { salt: Buffer.alloc(0), iterations: 100 }),
      'no salted password': upsert(name, { saltedPassword: Buffer.alloc(0) }),
    };
    for (const [label, upsertion] of Object.entries(cases))
      await run.last(
        'alterUserScramCredentials',
        { deletions: [], upsertions: [upsertion] },
        { label },
      );
    await run.last(
      'alterUserScramCredentials',
      { deletions: [], upsertions: [upsert(name), upsert(name)] },
      { label: 'twice' },
    );
    await run.last(
      'alterUserScramCredentials',
      { deletions: [{ name, mechanism: sha256 }], upsertions: [] },
      { label: 'not there' },
    );
    await run.last(
      'alterUserScramCredentials',
      { deletions: [{ name, mechanism: sha256 }], upsertions: [upsert(name)] },
      { label: 'both' },
    );
    await run.last(
      'alterUserScramCredentials',
      { deletions: [], upsertions: [] },
      { label: 'nothing' },
    );
    await run.last(
      'describeUserScramCredentials',
      { users: [{ name }] },
      { label: 'none is kept' },
    );
  },
};
