import { t } from '../../base/l10n.ts';
import type { ProfileColor } from '../../cluster/model.ts';

/** The editor's colours for charts: each theme has them in its own shade. */
export const markColors: Readonly<Record<ProfileColor, string>> = {
  red: 'charts.red',
  orange: 'charts.orange',
  yellow: 'charts.yellow',
  green: 'charts.green',
  blue: 'charts.blue',
  purple: 'charts.purple',
};

export function colorName(color: ProfileColor): string {
  switch (color) {
    case 'red':
      return t('red');
    case 'orange':
      return t('orange');
    case 'yellow':
      return t('yellow');
    case 'green':
      return t('green');
    case 'blue':
      return t('blue');
    case 'purple':
      return t('purple');
  }
}
