/** What who asks may do. The broker's access fits. */
export interface GroupAccess {
  filter(operation: 'read' | 'describe', resource: 'group' | 'topic'): (name: string) => boolean;
}

const always = (): boolean => true;

/** Whether who asks may do this with a group or topic of some name; everything, where nobody said what not. */
export function mayOf(
  { access }: { readonly access?: GroupAccess },
  operation: 'read' | 'describe',
  resource: 'group' | 'topic',
): (name: string) => boolean {
  return access?.filter(operation, resource) ?? always;
}
