// Loaded before anything else into the server of an editor (NODE_OPTIONS), and so into what it starts: notes whom the
// extension host and the broker connect to, a line of JSON each.
const childProcess = require('node:child_process');
const { appendFileSync } = require('node:fs');
const Module = require('node:module');
const net = require('node:net');

const file = process.env.KAFKA_WORKBENCH_OBSERVED;
const command = process.argv.join(' ');
const program = command.includes('--type=extensionHost')
  ? 'host'
  : command.includes('dist/cli.js')
    ? 'broker'
    : undefined;

// The editor takes NODE_OPTIONS from its extension host, and the extension starts the broker with arguments of its own.
const { fork, spawn } = childProcess;
const observed = ['--require', __filename];
childProcess.fork = (module, args, options) => {
  const [list, rest] = Array.isArray(args) ? [args, options] : [[], options ?? args];
  const execArgv = [...observed, ...(rest?.execArgv ?? process.execArgv)];
  return fork(module, list, { ...rest, execArgv });
};
childProcess.spawn = (name, args, ...rest) =>
  Array.isArray(args) && args.some((arg) => String(arg).endsWith('dist/cli.js'))
    ? spawn(name, [...observed, ...args], ...rest)
    : spawn(name, args, ...rest);
Module.syncBuiltinESMExports();

if (file && program) {
  const note = (seen) => appendFileSync(file, `${JSON.stringify({ program, ...seen })}\n`);
  note({ started: true });
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (...args) {
    const [first] = Array.isArray(args[0]) ? args[0] : args;
    const to = typeof first === 'object' ? first : { port: first, host: args[1] };
    note({ to: to.path ?? `${to.host ?? 'localhost'}:${to.port}` });
    return connect.apply(this, args);
  };
}
