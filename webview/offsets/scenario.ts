/** What to reset offsets to, as it is chosen and typed. */
import type { ResetScenario } from '../../src/shared/contracts/offsets.ts';
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
import { toDurationMs, toInstant, toLocalDateTime, toOffset, toShift } from './scenarioValues.ts';

type Kind = ResetScenario['kind'];

export interface ScenarioChooser {
  readonly element: HTMLElement;
  /** Undefined where what is needed with it is not there yet, or cannot be read. */
  readonly scenario: ResetScenario | undefined;
  set(scenario: ResetScenario): void;
}

const CHOICES: readonly { readonly value: Kind; readonly text: string }[] = [
  { value: 'earliest', text: 'to earliest' },
  { value: 'latest', text: 'to latest' },
  { value: 'offset', text: 'to offset' },
  { value: 'shift', text: 'shift by' },
  { value: 'time', text: 'to time' },
  { value: 'duration', text: 'to a time ago' },
  { value: 'current', text: 'to current' },
  { value: 'offsets', text: 'from file' },
  { value: 'group', text: 'to where another group is' },
  { value: 'restore', text: 'to earlier offsets' },
  { value: 'delete', text: 'delete commits' },
];

export function scenarioChooser(sources: ScenarioSources, onChange: () => void): ScenarioChooser {
  const controls = valueControls(sources, () => onChange());
  const kind = dropdown<Kind>({
    label: 'Scenario',
    choices: CHOICES,
    value: 'earliest',
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
    set: (scenario) => {
      kind.value = scenario.kind;
      controls[scenario.kind].set?.(scenario);
      showControl();
      controls[scenario.kind].onShow?.();
    },
  };
}

function valueControls(sources: ScenarioSources, onChange: () => void): Record<Kind, ValueControl> {
  return {
    earliest: noValue({ kind: 'earliest' }),
    latest: noValue({ kind: 'latest' }),
    current: noValue({ kind: 'current' }),
    delete: noValue({ kind: 'delete' }),
    offset: textValue({
      label: 'Offset to reset to',
      placeholder: 'offset',
      read: (text) => scenarioWith(toOffset(text), (offset) => ({ kind: 'offset', offset })),
      textOf: (of) => (of.kind === 'offset' ? of.offset : undefined),
      onChange,
    }),
    shift: textValue({
      label: 'How far to shift',
      placeholder: '+100 or -100',
      read: (text) => scenarioWith(toShift(text), (by) => ({ kind: 'shift', by })),
      textOf: (of) => (of.kind === 'shift' ? of.by : undefined),
      onChange,
    }),
    duration: textValue({
      label: 'How long ago',
      placeholder: '1h, 90m, 2d, PT1H',
      read: (text) => scenarioWith(toDurationMs(text), (agoMs) => ({ kind: 'duration', agoMs })),
      textOf: (of) => (of.kind === 'duration' ? `${of.agoMs}ms` : undefined),
      onChange,
    }),
    time: textValue({
      label: 'Local time to reset to',
      type: 'datetime-local',
      value: toLocalDateTime(Date.now() - 3_600_000),
      read: (text) => scenarioWith(toInstant(text), (timestamp) => ({ kind: 'time', timestamp })),
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
