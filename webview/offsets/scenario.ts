/** What to reset offsets to, as it is chosen and typed. */
import { t } from '../../src/base/l10n.ts';
import type { OffsetsState, ResetScenario } from '../../src/shared/contracts/offsets.ts';
import { dropdown } from '../kit/controls.ts';
import { h, show } from '../kit/dom.ts';
import {
  fileValue,
  groupValue,
  historyValue,
  noValue,
  type ScenarioSources,
  textValue,
  type ValueControl,
} from './scenarioControls.ts';
import {
  offsetFault,
  shiftFault,
  toDurationMs,
  toInstant,
  toLocalDateTime,
  toOffset,
  toShift,
} from './scenarioValues.ts';

/** Of a value that is none, so much is kept. */
const TYPED_MAX = 100;

type Kind = ResetScenario['kind'];

export type TypedScenario = NonNullable<OffsetsState['typed']>;

export interface ScenarioChooser {
  readonly element: HTMLElement;
  /** Undefined where what is needed with it is not there yet, or cannot be read. */
  readonly scenario: ResetScenario | undefined;
  /** Why what is typed beside it is no value. */
  readonly fault: string | undefined;
  /** What is chosen and typed, also where it is no scenario yet. */
  readonly typed: TypedScenario;
  set(scenario: ResetScenario): void;
  /** Chooses and types it again. */
  retype(typed: TypedScenario): void;
  /** The cluster is there again: reads what stands beside the scenario. */
  readAgain(): void;
}

const CHOICES: readonly { readonly value: Kind; readonly text: string }[] = [
  { value: 'earliest', text: t('to earliest') },
  { value: 'latest', text: t('to latest') },
  { value: 'offset', text: t('to offset') },
  { value: 'shift', text: t('shift by') },
  { value: 'time', text: t('to datetime') },
  { value: 'duration', text: t('by duration') },
  { value: 'current', text: t('to current') },
  { value: 'offsets', text: t('from file') },
  { value: 'group', text: t('to where another group is') },
  { value: 'restore', text: t('to earlier offsets') },
  { value: 'delete', text: t('delete offsets') },
];

export function scenarioChooser(sources: ScenarioSources, onChange: () => void): ScenarioChooser {
  const controls = valueControls(sources, () => onChange());
  const kind = dropdown<Kind>({
    label: t('Scenario'),
    choices: CHOICES,
    value: 'earliest',
    fitsChoices: true,
    onChange: () => {
      showControl();
      controls[kind.value].onShow?.();
      onChange();
    },
  });
  const showControl = (): void => {
    for (const [of, { element }] of Object.entries(controls)) {
      if (element) show(element, of === kind.value);
    }
  };
  showControl();
  const elements = Object.values(controls).flatMap(({ element }) => element ?? []);
  return {
    element: h('div', { class: 'row' }, kind.element, ...elements),
    get scenario() {
      return controls[kind.value].read();
    },
    get fault() {
      return controls[kind.value].fault;
    },
    get typed() {
      return { kind: kind.value, text: (controls[kind.value].typed ?? '').slice(0, TYPED_MAX) };
    },
    retype: ({ kind: of, text }) => {
      kind.value = of;
      if (controls[of].typed !== undefined) controls[of].typed = text;
      showControl();
    },
    set: (scenario) => {
      kind.value = scenario.kind;
      controls[scenario.kind].set?.(scenario);
      showControl();
      controls[scenario.kind].onShow?.();
    },
    readAgain: () => controls[kind.value].readAgain?.(),
  };
}

function valueControls(sources: ScenarioSources, onChange: () => void): Record<Kind, ValueControl> {
  return {
    earliest: noValue({ kind: 'earliest' }),
    latest: noValue({ kind: 'latest' }),
    current: noValue({ kind: 'current' }),
    delete: noValue({ kind: 'delete' }),
    offset: textValue({
      label: t('Offset to reset to'),
      placeholder: t('offset'),
      read: (text) => scenarioWith(toOffset(text), (offset) => ({ kind: 'offset', offset })),
      faultOf: offsetFault,
      textOf: (of) => (of.kind === 'offset' ? of.offset : undefined),
      onChange,
    }),
    shift: textValue({
      label: t('How far to shift'),
      placeholder: t('+100 or -100'),
      read: (text) => scenarioWith(toShift(text), (by) => ({ kind: 'shift', by })),
      faultOf: shiftFault,
      textOf: (of) => (of.kind === 'shift' ? of.by : undefined),
      onChange,
    }),
    duration: textValue({
      label: t('How long ago'),
      placeholder: '1h, 90m, 2d, PT1H',
      read: (text) => scenarioWith(toDurationMs(text), (agoMs) => ({ kind: 'duration', agoMs })),
      faultOf: () => t('How long ago is written as 90m, 1h30m, 2d or PT1H.'),
      textOf: (of) => (of.kind === 'duration' ? `${of.agoMs}ms` : undefined),
      onChange,
    }),
    time: textValue({
      label: t('Local time to reset to'),
      type: 'datetime-local',
      value: toLocalDateTime(Date.now() - 3_600_000),
      read: (text) => scenarioWith(toInstant(text), (timestamp) => ({ kind: 'time', timestamp })),
      faultOf: () => t('Choose a date and a time.'),
      textOf: (of) => (of.kind === 'time' ? toLocalDateTime(Number(of.timestamp)) : undefined),
      onChange,
    }),
    offsets: fileValue(sources, onChange),
    group: groupValue(sources, onChange),
    restore: historyValue(sources, onChange),
  };
}

function scenarioWith(
  value: string | undefined,
  make: (value: string) => ResetScenario,
): ResetScenario | undefined {
  return value === undefined ? undefined : make(value);
}
