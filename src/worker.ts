/**
 * `dist/worker.js`: the thread of the extension host in which tails are read, decoded and kept; and, under
 * another role, the thread in which that one runs a filter's expression.
 */
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { portTransport } from './cluster/tailPort.ts';
import { TailServing } from './cluster/tailServing.ts';

const task = v.parse(
  v.object({
    role: v.picklist(['tails', 'script']),
    workerPath: v.string(),
    quickjsWasmPath: v.string(),
  }),
  workerData,
);
if (!parentPort) throw new Error('this runs as a worker of the extension only');
const transport = portTransport(parentPort);
if (task.role === 'tails') {
  new TailServing(transport, task);
} else {
  // Only this role needs QuickJS.
  import('./cluster/tailScriptRunner.ts')
    .then(({ serveScript }) => serveScript(transport, task.quickjsWasmPath))
    .catch((error: unknown) =>
      setImmediate(() => {
        throw error;
      }),
    );
}
