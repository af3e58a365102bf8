import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { checkoutBelow } from '../support/checkout.ts';
import { run } from '../support/process.ts';

const root = path.join(import.meta.dirname, '../..');
/** The Node that runs the tests comes first: an older one of the machine is refused. */
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
};

describe('the npm package', function () {
  this.timeout(240_000);
  let folder: string;

  const succeed = async (
    command: string,
    args: readonly string[],
    cwd: string,
  ): Promise<string> => {
    const { code, stdout, stderr } = await run(command, args, { cwd, env, timeoutMs: 200_000 });
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'package-'));
    const packed = path.join(folder, 'packed');
    await mkdir(packed);
    const sources = await checkoutBelow(folder);
    env['KAFKA_WORKBENCH_CACHE'] = sources.env['KAFKA_WORKBENCH_CACHE'];
    await succeed('npm', ['pack', '--silent', '--pack-destination', packed], sources.root);
    const [name = ''] = await readdir(packed);
    const file = path.join(packed, name);
    await succeed('npm', ['install', '--offline', '--no-audit', '--prefix', folder, file], folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has a command that runs as it is installed [A1] [A10]', async () => {
    const command = path.join(folder, 'node_modules/.bin/kafka-workbench');
    assert.match(await succeed(command, ['--version'], folder), /\d+\.\d+\.\d+/);
  });

  it('starts a cluster for a program that imports it [A10]', async () => {
    const program = `const { startCluster } = await import('kafka-workbench/embedded');
      const cluster = await startCluster();
      console.log(cluster.bootstrap);
      await cluster.stop();`;
    const said = await succeed('node', ['--input-type=module', '-e', program], folder);
    assert.match(said, /^127\.0\.0\.1:\d+\n$/);
  });

  it('fails in few words, whatever the program does with its errors [A10]', async () => {
    const program = `const { startCluster } = await import('kafka-workbench/embedded');
      await startCluster({ configs: { 'num.partitons': '3' } });`;
    const args = ['--input-type=module', '-e', program];
    const { code, stderr } = await run('node', args, { cwd: folder, env, timeoutMs: 60_000 });
    assert.equal(code, 1);
    assert.match(stderr, /Error: .*num\.partitons/);
    const longest = Math.max(...stderr.split('\n').map(({ length }) => length));
    assert.ok(longest < 500, stderr);
  });

  it('has types that need no other package, however strictly they are looked at [A10]', async () => {
    const program = `import { type EmbeddedKafka, startCluster } from 'kafka-workbench/embedded';
      const cluster: EmbeddedKafka = await startCluster({ emulate: 'kafka-3.9' });
      await cluster.control.runMaintenance(['retention']);
      // @ts-expect-error There is no such server.
      await startCluster({ emulate: 'kafka-0.7' });`;
    const file = path.join(folder, 'program.mts');
    await writeFile(file, program);
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022'];
    const checks = [...strict, '--skipLibCheck', 'false', '--lib', 'es2022'];
    await succeed('node', [tsc, ...checks, file], folder);
  });
});
