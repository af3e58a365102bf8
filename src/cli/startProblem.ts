import { errorMessage } from '../base/logger.ts';
import { portHolder } from '../base/portHolder.ts';
import { BrokerConfigError } from '../broker/config/brokerConfigs.ts';

/** What people set where a cluster listens by. */
export interface OptionWords {
  readonly port: string;
  readonly host: string;
  readonly configs: string;
}

/** Why a cluster could not be started, and what to do, in a line. */
export async function startProblem(error: unknown, words: OptionWords): Promise<string> {
  if (error instanceof BrokerConfigError) return `${words.configs}: ${error.message}`;
  const { code, address, port, hostname } = error as ListenError;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `no host is known as ${hostname ?? 'that'}. Choose another ${words.host}; 127.0.0.1 is this machine.`;
  }
  if (code === 'EADDRNOTAVAIL') {
    return `${address ?? 'the host'} is no address of this machine. Choose another ${words.host}; 127.0.0.1 always is one.`;
  }
  if (code === 'EADDRINUSE' && port !== undefined) {
    const holder = await portHolder(port);
    const taker = holder ? `${holder.program} (process ${holder.pid})` : 'another program';
    return `port ${port} is taken by ${taker}. Stop that, or choose another ${words.port} (0 is any free one).`;
  }
  if (code === 'EACCES' && port !== undefined) {
    return `port ${port} takes rights that this user does not have. Choose another ${words.port}, above 1023.`;
  }
  if (isDiskFull(error)) {
    return `the disk is full, so the cluster cannot write what a start takes. Free some space, or choose another directory. ${errorMessage(error)}`;
  }
  return errorMessage(error);
}

/** Whether it is what a full disk led to: that is among the causes then. */
function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as ListenError).code === 'ENOSPC') return true;
  }
  return false;
}

/** What Node adds to the error of a socket that cannot listen. */
interface ListenError {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}
