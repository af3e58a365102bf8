import path from 'node:path';
import { errorMessage, type Logger } from '../base/logger.ts';
import { stopCluster } from '../broker/control/stopCluster.ts';
import { type LaunchedCluster, launchCluster } from '../broker/launch.ts';
import { version } from '../version.ts';
import { clock, maintain } from './control.ts';
import { logLine } from './logLine.ts';
import { parseOptions, type StartOptions, usage, UsageError } from './options.ts';
import { type OptionWords, startProblem } from './startProblem.ts';

/** A stop that takes longer is cut off: who asked for it waits ten seconds, and then ends the process by force. */
const longestStopMs = 9000;

const optionWords: OptionWords = { port: '--port', host: '--host', configs: '--set' };

/** Runs the command line; sets the exit code and never rejects. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const options = parseOptions(args);
    switch (options.command) {
      case 'help':
        process.stdout.write(usage);
        break;
      case 'version':
        process.stdout.write(`${version}\n`);
        break;
      case 'stop':
        await stopCluster(path.resolve(options.dataDir));
        process.stdout.write('stopped\n');
        break;
      case 'clock':
        process.stdout.write(await clock(options.dataDir, options.advanceMs));
        break;
      case 'maintain':
        process.stdout.write(await maintain(options.dataDir, options.tasks));
        break;
      case 'start':
        await start(options);
        break;
    }
  } catch (error) {
    const hint = error instanceof UsageError ? ' (kafka-workbench --help lists the options)' : '';
    const problem = await startProblem(error, optionWords);
    process.stderr.write(`kafka-workbench: ${problem}${hint}\n`);
    process.exitCode = 1;
  }
}

async function start(options: StartOptions): Promise<void> {
  const running: { launched?: LaunchedCluster } = {};
  const stop = (reason: string): void => {
    setTimeout(() => {
      logger.error(
        `stopping takes more than ${longestStopMs / 1000} s and is cut off; nothing that was acknowledged is lost, but the next start has to read the logs through`,
      );
      process.exit(1);
    }, longestStopMs).unref();
    const stopping = running.launched?.stop(reason) ?? Promise.resolve();
    stopping.then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(`stopping failed: ${errorMessage(error)}`);
        process.exit(1);
      },
    );
  };
  process.once('SIGINT', () => stop('interrupted'));
  process.once('SIGTERM', () => stop('terminated'));
  const { port, host, configs, emulate, unattendedMs } = options;
  const dataDir = options.dataDir === null ? null : path.resolve(options.dataDir);
  const launched = await launchCluster({
    dataDir,
    host,
    port,
    configs,
    emulate,
    unattendedMs,
    logger,
    version,
    onStopRequest: stop,
  });
  running.launched = launched;
  const { bootstrap, brokers } = launched.cluster;
  const { pid } = process;
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ event: 'ready', bootstrap, brokers, pid, dataDir })}\n`
      : `Kafka Workbench's cluster is ready: bootstrap.servers=${bootstrap}, data in ${dataDir ?? 'memory'}\n`,
  );
}

/** Standard error takes the log, so that standard output has the ready line alone. */
const logger: Logger = {
  debug: () => undefined,
  info: (message) => log('INFO', message),
  warn: (message) => log('WARN', message),
  error: (message) => log('ERROR', message),
};

function log(level: string, message: string): void {
  process.stderr.write(logLine(Date.now(), level, message));
}
