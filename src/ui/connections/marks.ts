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
