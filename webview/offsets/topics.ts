/** Which topics there are to act on: one more to add, or only one of those shown. */
import { t } from '../../src/base/l10n.ts';
import type { TopicChoice } from '../../src/shared/contracts/common.ts';
import { Combobox, type Suggestion } from '../kit/combobox.ts';
import { h, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';

const TOPICS_OFFERED = 50;
const ALL = t('all topics');

interface Known {
  readonly topics: readonly TopicChoice[];
  readonly present: readonly { readonly topic: string }[];
}

export interface TopicChooser {
  readonly element: HTMLElement;
  /** Others are known now: they are suggested where suggestions are shown. */
  suggestAgain(): void;
}

/** Offers the topics that are not in the table yet. */
export function topicChooser(options: {
  readonly known: () => Known;
  /** Suggestions are shown: there may be new topics. */
  readonly onAskTopics: () => void;
  readonly onChoose: (topic: TopicChoice) => void;
}): TopicChooser {
  const { known, onAskTopics, onChoose } = options;
  const offered = (text: string): Suggestion[] => {
    const { topics, present } = known();
    const taken = new Set(present.map(({ topic }) => topic));
    return matching(
      topics.filter(({ name }) => !taken.has(name)),
      text,
      ({ name }) => name,
    ).map(({ name, partitionCount }) => ({
      text: name,
      meaning: count(partitionCount, 'partition'),
    }));
  };
  const box = new Combobox({
    label: t('Add a topic'),
    placeholder: t('Add a topic...'),
    class: 'add-topic',
    suggest: offered,
    onOpen: onAskTopics,
    explain: (text) =>
      text.trim() !== '' && offered(text).length === 0
        ? { text: t('No other topic has this in its name.'), isProblem: false }
        : undefined,
    onCommit: (name) => {
      const topic = known().topics.find((each) => each.name === name);
      box.setProblem(topic ? undefined : t('There is no such topic; choose one of the list.'));
      if (!topic) return;
      box.value = '';
      onChoose(topic);
    },
  });
  return { element: box.element, suggestAgain: () => box.suggestAgain() };
}

export interface TopicScope {
  readonly element: HTMLElement;
  /** The topics in the table; with one there is nothing to choose. */
  offer(topics: readonly string[]): void;
  includes(topic: string): boolean;
}

/** The topic that is shown and acted on, or all of them. */
export function topicScope(onChange: () => void): TopicScope {
  let topics: readonly string[] = [];
  let chosen = ALL;
  const box = new Combobox({
    label: t('Apply to'),
    class: 'topic-scope',
    revertOnLeave: true,
    suggest: (text) =>
      matching([ALL, ...topics], text, (name) => name).map((name) => ({ text: name, meaning: '' })),
    onCommit: (name) => {
      const isKnown = name === ALL || topics.includes(name);
      box.setProblem(isKnown ? undefined : t('The table has no such topic.'));
      if (!isKnown) return;
      chosen = name;
      onChange();
    },
  });
  const element = h(
    'span',
    { class: 'labelled', hidden: true },
    h('span', { class: 'dim' }, t('apply to')),
    box.element,
  );
  return {
    element,
    offer: (present) => {
      topics = [...new Set(present)];
      if (!topics.includes(chosen)) chosen = ALL;
      box.value = chosen;
      show(element, topics.length > 1);
    },
    includes: (topic) => chosen === ALL || topic === chosen,
  };
}

function matching<T>(items: readonly T[], text: string, nameOf: (item: T) => string): T[] {
  const wanted = text.trim().toLowerCase();
  return items
    .filter((item) => nameOf(item).toLowerCase().includes(wanted))
    .slice(0, TOPICS_OFFERED);
}
