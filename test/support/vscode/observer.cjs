// Loaded before anything else into the programs of an editor (NODE_OPTIONS): notes whom the extension host and the
// broker connect to, and which files of the extension are loaded, a line of JSON each.
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
  const load = Module._load;
  Module._load = function (request, parent, ...rest) {
    if (parent?.filename?.includes('kafka-workbench.kafka-workbench-')) note({ module: request });
    return load.call(this, request, parent, ...rest);
  };
}
