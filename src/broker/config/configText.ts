// How Kafka reads the text of a config. [ConfigDef.parseType]

/** Control characters and blanks of ASCII at both ends go; blanks of Unicode stay. [String.trim] */
export const javaTrim = (text: string): string => text.replace(/^[\0- ]+|[\0- ]+$/g, '');

/** The items of a list config: comma-separated, blanks around them dropped. */
export function listItems(value: string): string[] {
  const text = javaTrim(value);
  return text === '' ? [] : text.split(',').map(javaTrim);
}

/**
 * A list after an incremental change. Items are compared as they stand, with the blanks around them, and one of them
 * is taken away at a time. [ConfigurationControlManager.incrementalAlterConfigResource]
 */
export function changedList(list: string, operation: 'append' | 'subtract', value: string): string {
  const items = list.split(',').filter((item) => item !== '');
  for (const item of javaSplit(value)) {
    const place = items.indexOf(item);
    if (operation === 'append' && place === -1) items.push(item);
    if (operation === 'subtract' && place !== -1) items.splice(place, 1);
  }
  return items.join(',');
}

/** Empty strings at the end are dropped, unless there was nothing to split. [String.split] */
function javaSplit(text: string): string[] {
  const items = text.split(',');
  while (text !== '' && items.at(-1) === '') items.pop();
  return items;
}

/** A double config; Java allows it a suffix. [Double.parseDouble] */
export const doubleOf = (text: string): number => Number(javaTrim(text).replace(/[fd]$/i, ''));
