/** What stands beside a scenario: a field, a file, a group, an earlier reset. */
import { t } from '../../src/base/l10n.ts';
import type {
  GivenOffset,
  HistoryEntry,
  ResetScenario,
} from '../../src/shared/contracts/offsets.ts';
import { Combobox } from '../kit/combobox.ts';
import { button } from '../kit/controls.ts';
import { fill, h, setAttribute, setText } from '../kit/dom.ts';
import { count, formatTimestamp } from '../kit/format.ts';

/** Where the choices come from; each says what failed by itself. */
export interface ScenarioSources {
  readonly importCsv: () => Promise<{
    readonly offsets?: readonly GivenOffset[] | undefined;
    readonly file?: string | undefined;
    readonly note?: string | undefined;
  }>;
  readonly groups: () => Promise<readonly { readonly name: string; readonly state: string }[]>;
  /** Undefined where they are not known now. */
  readonly history: () => Promise<readonly HistoryEntry[] | undefined>;
}

export interface ValueControl {
  readonly element?: HTMLElement;
  read(): ResetScenario | undefined;
  /** Why what is typed is no value; undefined where it is one or nothing is typed. */
  readonly fault?: string | undefined;
  /** What is typed, right or wrong. */
  typed?: string;
  set?(scenario: ResetScenario): void;
  /** Its scenario was chosen. */
  onShow?(): void;
  /** The cluster is there again: what could not be read from it can. */
  readAgain?(): void;
}

const GROUPS_OFFERED = 50;

export function noValue(scenario: ResetScenario): ValueControl {
  return { read: () => scenario };
}

export function textValue(options: {
  label: string;
  placeholder?: string;
  type?: string;
  value?: string;
  read: (text: string) => ResetScenario | undefined;
  faultOf: (text: string) => string;
  textOf: (scenario: ResetScenario) => string | undefined;
  onChange: () => void;
}): ValueControl {
  const { label, placeholder, type = 'text', read } = options;
  const element = h('input', {
    class: `input scenario-value ${type === 'text' ? 'number' : ''}`,
    type,
    placeholder,
    step: type === 'text' ? undefined : '0.001',
    'aria-label': label,
    oninput: () => {
      mark();
      options.onChange();
    },
  });
  element.value = options.value ?? '';
  const fault = (): string | undefined => {
    const isBad = element.value !== '' && read(element.value) === undefined;
    return isBad ? options.faultOf(element.value) : undefined;
  };
  const mark = (): void => {
    const why = fault();
    element.classList.toggle('invalid', why !== undefined);
    setAttribute(element, 'aria-invalid', why !== undefined);
    setAttribute(element, 'title', why);
  };
  return {
    element,
    read: () => read(element.value),
    get fault() {
      return fault();
    },
    get typed() {
      return element.value;
    },
    set typed(text) {
      element.value = text;
      mark();
    },
    set: (scenario) => {
      element.value = options.textOf(scenario) ?? element.value;
      mark();
    },
    onShow: () => element.focus(),
  };
}

/** A file that `kafka-consumer-groups --export` wrote. */
export function fileValue({ importCsv }: ScenarioSources, onChange: () => void): ValueControl {
  let given: Extract<ResetScenario, { kind: 'offsets' }> | undefined;
  const chosen = h('span', { class: 'dim', role: 'status' });
  const take = (scenario: typeof given, note?: string): void => {
    given = scenario;
    const { offsets = [], file = '' } = scenario ?? {};
    const what = [file, count(offsets.length, 'partition')].filter(Boolean).join(', ');
    setText(chosen, [what, note ?? ''].filter(Boolean).join('. '));
  };
  const choose = async (): Promise<void> => {
    const { offsets, file, note } = await importCsv();
    if (!offsets) return;
    take({ kind: 'offsets', offsets: [...offsets], file }, note);
    onChange();
  };
  const open = button({ label: t('Choose file...'), onClick: () => void choose() });
  return {
    element: h('span', { class: 'row' }, open.element, chosen),
    read: () => given,
    set: (scenario) => {
      if (scenario.kind === 'offsets') take(scenario);
    },
    onShow: () => given ?? void choose(),
  };
}

export function groupValue({ groups }: ScenarioSources, onChange: () => void): ValueControl {
  let known: readonly { readonly name: string; readonly state: string }[] = [];
  let chosen: string | undefined;
  const box = new Combobox({
    label: t('Group to copy from'),
    placeholder: t('group'),
    class: 'scenario-value',
    revertOnLeave: true,
    suggest: (text) =>
      known
        .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
        .slice(0, GROUPS_OFFERED)
        .map(({ name, state }) => ({ text: name, meaning: state })),
    onCommit: (name) => {
      const isKnown = known.some((group) => group.name === name);
      box.setProblem(isKnown ? undefined : t('There is no such group; choose one of the list.'));
      chosen = isKnown ? name : undefined;
      onChange();
    },
  });
  return {
    element: box.element,
    read: () => (chosen === undefined ? undefined : { kind: 'group', group: chosen }),
    set: (scenario) => {
      if (scenario.kind !== 'group') return;
      chosen = scenario.group;
      box.value = chosen;
    },
    onShow: () => {
      box.focus();
      void groups().then((found) => (known = found));
    },
  };
}

export function historyValue({ history }: ScenarioSources, onChange: () => void): ValueControl {
  let chosen: string | undefined;
  const select = h('select', {
    class: 'input earlier',
    'aria-label': t('Earlier offsets'),
    onchange: () => {
      chosen = select.value || undefined;
      onChange();
    },
  });
  const offer = (entries: readonly HistoryEntry[] | undefined): void => {
    if (!entries) {
      // What was chosen stays so, for when they can be read.
      fill(select, h('option', { value: chosen ?? '' }, t('Not known now')));
      return;
    }
    const before = chosen;
    if (!entries.some(({ id }) => id === chosen)) chosen = entries[0]?.id;
    fill(select, ...entries.map((entry) => h('option', { value: entry.id }, entryWords(entry))));
    if (entries.length === 0) fill(select, h('option', { value: '' }, t('No reset was made yet')));
    select.value = chosen ?? '';
    if (chosen !== before) onChange();
  };
  return {
    element: select,
    read: () => (chosen === undefined ? undefined : { kind: 'restore', id: chosen }),
    set: (scenario) => {
      if (scenario.kind === 'restore') chosen = scenario.id;
    },
    onShow: () => void history().then(offer),
    readAgain: () => void history().then(offer),
  };
}

/** `14:03:07 before it was reset to earliest, 3 partitions`. */
function entryWords({ savedAtMs, summary, partitionCount }: HistoryEntry): string {
  const { long } = formatTimestamp(String(savedAtMs));
  const at = long.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ');
  return t('{0}, before: {1}, {2}', at, summary, count(partitionCount, 'partition'));
}
