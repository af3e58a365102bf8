/** One topic of those that the group reads, or all of them. */
import { t } from '../../src/base/l10n.ts';
import { Combobox } from '../kit/combobox.ts';
import { h, show } from '../kit/dom.ts';

const topicsOffered = 50;

export interface TopicFilter {
  readonly element: HTMLElement;
  /** Undefined: all. */
  topic: string | undefined;
  /** The topics there are; with one there is nothing to choose. */
  offer(topics: readonly string[]): void;
  includes(topic: string): boolean;
}

export function topicFilter(onChange: () => void): TopicFilter {
  const all = t('all topics');
  let topics: readonly string[] = [];
  let chosen: string | undefined;
  const box = new Combobox({
    label: t('Topic'),
    class: 'topic-filter',
    revertOnLeave: true,
    suggest: (text) =>
      [all, ...topics]
        .filter((name) => name.toLowerCase().includes(text.trim().toLowerCase()))
        .slice(0, topicsOffered)
        .map((name) => ({ text: name, meaning: '' })),
    onCommit: (name) => {
      const isKnown = name === all || topics.includes(name);
      box.setProblem(isKnown ? undefined : t('The group does not read such a topic.'));
      if (!isKnown) return;
      chosen = name === all ? undefined : name;
      onChange();
    },
  });
  const element = h('span', { class: 'labelled', hidden: true }, box.element);
  /** A topic that is gone hides nothing. */
  const isUsed = (): boolean => chosen !== undefined && topics.includes(chosen);
  return {
    element,
    get topic() {
      return chosen;
    },
    set topic(topic) {
      chosen = topic;
      box.value = topic ?? all;
    },
    offer: (present) => {
      const next = [...new Set(present)];
      if (next.join('\n') === topics.join('\n')) return;
      topics = next;
      box.value = isUsed() ? (chosen ?? all) : all;
      show(element, topics.length > 1);
    },
    includes: (topic) => !isUsed() || topic === chosen,
  };
}
