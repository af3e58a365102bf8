import { t } from '../../base/l10n.ts';
import { errorMessage } from '../../base/logger.ts';
import { counted } from '../text.ts';
import type { Workbench } from '../workbench.ts';
import { confirm } from './prompts.ts';

/** Names of clients, or of groups, in the question; of more, their number. */
const mostNamed = 8;

/** Asks where clients of others would be cut off; nobody is asked where none is connected. */
export async function confirmStop(
  workbench: Workbench,
  { question, answer }: { readonly question: string; readonly answer: string },
): Promise<void> {
  if (workbench.embedded.state.kind !== 'running') return;
  const { clients, groups } = await workbench.embedded.operations
    .otherClients()
    .catch((error: unknown) => {
      // One that does not say who is connected is to be stopped all the same.
      workbench.log.debug(`connected clients: ${errorMessage(error)}`);
      return { clients: [], groups: [] };
    });
  if (clients.length === 0) return;
  const open = clients.reduce((sum, { connections }) => sum + connections, 0);
  const names = clients.map(({ clientId, connections }) => {
    const name = clientId === '' ? t('a client without an id') : clientId;
    return connections === 1 ? name : `${name} × ${connections}`;
  });
  const detail = [
    t('{0} would be cut off: {1}.', counted(open, 'connection'), named(names)),
    ...(groups.length > 0 ? [t('Groups with members: {0}.', named(groups))] : []),
    t('What was acknowledged stays.'),
  ];
  await confirm(question, detail.join('\n'), answer, undefined);
}

function named(names: readonly string[]): string {
  const left = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(left > 0 ? [t('{0} more', left)] : [])].join(', ');
}
