/**
 * `dist/worker.js`: the thread of the extension host in which tails are read, decoded and kept; and, under
 * another role, the thread in which that one runs a filter's expression.
 */
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { speak } from './base/l10n.ts';
import { portTransport } from './cluster/tail/tailPort.ts';
import { TailServing } from './cluster/tail/tailServing.ts';
import { language } from './shared/contracts/language.ts';

const task = v.parse(
  v.object({
    role: v.picklist(['tails', 'script']),
    workerPath: v.string(),
    quickjsWasmPath: v.string(),
    language,
  }),
  workerData,
);
if (!parentPort) throw new Error('this runs as a worker of the extension only');
speak(task.language);
const transport = portTransport(parentPort);
if (task.role === 'tails') {
  new TailServing(transport, task);
} else {
  // Only this role needs QuickJS.
  import('./cluster/tail/tailScriptRunner.ts')
    .then(({ serveScript }) => serveScript(transport, task.quickjsWasmPath))
    .catch((error: unknown) =>
      setImmediate(() => {
        throw error;
      }),
    );
}
