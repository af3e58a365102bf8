/** Of the editor's themes. */
export const colors = {
  good: 'testing.iconPassed',
  bad: 'list.errorForeground',
  warning: 'list.warningForeground',
  busy: 'charts.blue',
  quiet: 'descriptionForeground',
} as const;
