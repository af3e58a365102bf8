/** `dist/worker.js`: the thread of the extension host in which tails are read, decoded and kept. */
import { parentPort } from 'node:worker_threads';
import { portTransport } from './cluster/tailPort.ts';
import { serveTails } from './cluster/tailServing.ts';

if (!parentPort) throw new Error('this runs as a worker of the extension only');
serveTails(portTransport(parentPort));
