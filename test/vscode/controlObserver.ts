import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import * as v from 'valibot';
import { Channel } from '../../src/shared/channel.ts';
import {
  controlBroker,
  controlClient,
  type EmbeddedStatus,
  lockFile,
} from '../../src/shared/contracts/control.ts';
import { socketTransport } from '../../src/shared/socketTransport.ts';
import type { Editor } from '../support/vscode/editor.ts';

/** What the embedded cluster of an editor says of itself, asked without keeping it alive as a window does. */
export async function embeddedStatus({ root }: Editor): Promise<EmbeddedStatus> {
  const storage = path.join(root, 'user/User/globalStorage/kafka-workbench.kafka-workbench');
  const text = await readFile(path.join(storage, 'embedded/kafka-workbench.lock'), 'utf8');
  const { control, token } = v.parse(lockFile, JSON.parse(text));
  const socket = connect(control);
  await once(socket, 'connect');
  const channel = new Channel({
    transport: socketTransport(socket, () => undefined),
    serves: controlClient,
    calls: controlBroker,
    handlers: { stopping: () => undefined, status: () => undefined },
    onInvalid: () => undefined,
  });
  try {
    return await channel.call('hello', { token, role: 'observer' });
  } finally {
    channel.dispose();
    socket.destroy();
  }
}

/** Ends the embedded cluster of an editor that is done with, whatever its window shows by now. */
export async function endEmbedded(editor: Editor): Promise<void> {
  const { pid } = await embeddedStatus(editor);
  process.kill(pid, 'SIGKILL');
}
