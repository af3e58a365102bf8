/** What to reset offsets to, as it is chosen and typed. */
import type { ResetScenario } from '../../src/shared/contracts/offsets.ts';
import { dropdown } from '../kit/controls.ts';
import { h, setAttribute, show } from '../kit/dom.ts';
import { toInstant, toLocalDateTime, toOffset } from './scenarioValues.ts';

type Kind = ResetScenario['kind'];

export interface ScenarioChooser {
  readonly element: HTMLElement;
  /** Undefined where what is typed is not an offset or a time. */
  readonly scenario: ResetScenario | undefined;
  set(scenario: ResetScenario): void;
}

const CHOICES = [
  { value: 'earliest', text: 'to earliest' },
  { value: 'latest', text: 'to latest' },
  { value: 'offset', text: 'to offset' },
  { value: 'time', text: 'to time' },
] as const;

export function scenarioChooser(onChange: () => void): ScenarioChooser {
  const offset = h('input', {
    class: 'input number scenario-value',
    inputmode: 'numeric',
    placeholder: 'offset',
    'aria-label': 'Offset to reset to',
    oninput: () => changed(),
  });
  const time = h('input', {
    class: 'input scenario-value',
    type: 'datetime-local',
    step: '0.001',
    'aria-label': 'Local time to reset to',
    oninput: () => changed(),
  });
  const kind = dropdown<Kind>({
    label: 'Scenario',
    choices: CHOICES,
    value: 'earliest',
    onChange: () => changed(),
  });
  const current = (): ResetScenario | undefined => read(kind.value, offset.value, time.value);
  const showInputs = (): void => {
    show(offset, kind.value === 'offset');
    show(time, kind.value === 'time');
    const isBad = current() === undefined && (kind.value === 'time' || offset.value !== '');
    for (const input of [offset, time]) {
      input.classList.toggle('invalid', isBad);
      setAttribute(input, 'aria-invalid', isBad);
    }
  };
  const changed = (): void => {
    showInputs();
    onChange();
  };
  time.value = toLocalDateTime(Date.now() - 3_600_000);
  showInputs();
  return {
    element: h('div', { class: 'row' }, kind.element, offset, time),
    get scenario() {
      return current();
    },
    set: (scenario) => {
      kind.value = scenario.kind;
      if (scenario.kind === 'offset') offset.value = scenario.offset;
      if (scenario.kind === 'time') time.value = toLocalDateTime(Number(scenario.timestamp));
      showInputs();
    },
  };
}

function read(kind: Kind, offsetText: string, timeText: string): ResetScenario | undefined {
  switch (kind) {
    case 'earliest':
    case 'latest':
      return { kind };
    case 'offset': {
      const offset = toOffset(offsetText);
      return offset === undefined ? undefined : { kind, offset };
    }
    case 'time': {
      const timestamp = toInstant(timeText);
      return timestamp === undefined ? undefined : { kind, timestamp };
    }
  }
}
