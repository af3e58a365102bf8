import { emulationNames, isEmulationName } from '../broker/emulation/emulationName.ts';
import type { EmbeddedOptions } from './contract.ts';
import { shown } from './shown.ts';

interface Rule {
  readonly takes: string;
  readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const rules: Readonly<Record<keyof EmbeddedOptions, Rule>> = {
  dataDir: { takes: 'the path of a directory', fits: isText },
  host: { takes: 'an address or the name of a host', fits: isText },
  port: {
    takes: 'a whole number from 0, which is any free port, to 65535',
    fits: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  },
  configs: {
    takes: "Kafka's broker configs with texts as values, as in { 'num.partitions': '3' }",
    fits: (value) =>
      isPlain(value) && Object.values(value).every((each) => typeof each === 'string'),
  },
  emulate: {
    takes: emulationNames.join(', '),
    fits: (value) => isText(value) && isEmulationName(value),
  },
};

/** Refuses, in words, what JavaScript lets people pass. What is undefined counts as left out. */
export function checkOptions(options: unknown): EmbeddedOptions {
  if (!isObject(options)) {
    throw new TypeError(`startCluster takes an object of options, not ${shown(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof EmbeddedOptions] : undefined;
    if (rule === undefined) {
      throw new TypeError(
        `startCluster has no option ${shown(name)}; it has ${Object.keys(rules).join(', ')}`,
      );
    }
    if (value !== undefined && !rule.fits(value)) {
      throw new TypeError(`${name} takes ${rule.takes}, not ${shown(value)}`);
    }
  }
  return options;
}

/** Not a Map, say, whose entries nobody would see. */
function isPlain(value: unknown): value is object {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
