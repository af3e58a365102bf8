/** What the workbench's own connections are called. */
export const workbenchClientId = 'kafka-workbench';
