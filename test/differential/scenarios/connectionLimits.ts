// How many connections there may be, and how fast they may come: of a broker, of a listener, of an address.
import { type Change, changing, types } from '../support/configRequests.ts';
import type { Scenarios } from '../support/run.ts';

const set = (values: Readonly<Record<string, string>>): readonly Change[] =>
  Object.entries(values).map(([name, value]) => [name, 'set', value] as const);

/** Of the only listener, in its own letters and in others, and of one that there is not. */
const listeners = ['plaintext', 'PLAINTEXT', 'nope'];

const ofListeners = ['max.connections', 'max.connection.creation.rate'].flatMap((name) => [
  { [name]: '0' },
  { [name]: '5' },
  ...listeners.flatMap((listener) => {
    const own = `listener.name.${listener}.${name}`;
    return [
      { [own]: '0' },
      { [own]: '-1' },
      { [own]: '5', [name]: '0' },
      { [own]: '0', [name]: '5' },
    ];
  }),
]);

const threads = listeners.flatMap((listener) => {
  const own = `listener.name.${listener}.num.network.threads`;
  return ['1', '6', '7'].map((value) => ({ [own]: value }));
});

const ofAddresses = [
  ...['', 'a', 'a:b', 'a:0', 'a:-1', ' a : 1 ', 'a:1,a:2', 'a b:1', '::1:5', '[::1]:5', ',', '*:5'],
  ...['a:2147483647', 'a:2147483648', 'a:-2147483648', 'a:-2147483649', 'a:99999999999'],
].map((value) => ({ 'max.connections.per.ip.overrides': value }));

const others = [
  { 'max.connections.per.ip': '0' },
  { 'max.connections.per.ip': '0', 'max.connections.per.ip.overrides': 'a:5' },
  { 'connections.max.idle.ms': '5000' },
  ...listeners.flatMap((listener) => [
    { [`listener.name.${listener}.connections.max.idle.ms`]: '5000' },
    { [`listener.name.${listener}.max.connections.per.ip`]: '0' },
  ]),
];

export const connectionLimitScenarios: Scenarios = {
  async 'limits are those that a listener goes by in the end'(run) {
    for (const broker of ['1', ''])
      for (const values of [...ofListeners, ...threads, ...ofAddresses, ...others])
        await run.last(
          'incrementalAlterConfigs',
          changing(types.broker, broker, set(values), true),
          {
            label: `${JSON.stringify(values)} of ${broker}`,
          },
        );
  },
};
