import assert from 'node:assert/strict';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { before, describe, it } from 'mocha';

const root = path.join(import.meta.dirname, '../../..');
const entry = 'src/extension.ts';

/** What is loaded by a command, a panel or a cluster, and by no window that only opens. */
const onlyWhenAsked: readonly RegExp[] = [
  /^src\/codec\//,
  /^src\/client\/(produce|readRange|recordBatches)\.ts$/,
  /^src\/protocol\/records\/(compression|lz4|snappy|recordReader|recordBatchBuilder)\.ts$/,
  /^src\/ui\/panels\/\w+(Server|Messages|Changes|Files)\.ts$/,
];

/** The only packages of others that every window pays for. */
const packages = ['valibot'];

/** Minified, and some more than it is; all of it with what comes later is twice that. */
const bytesMax = 420_000;

describe('What a window loads when the extension is activated', () => {
  let metafile: Metafile;
  let loaded: string[];

  before(async function () {
    this.timeout(60_000);
    ({ metafile } = await build({
      ...{ absWorkingDir: root, entryPoints: [entry], external: ['vscode'], outdir: 'dist' },
      ...{ bundle: true, minify: true, platform: 'node', format: 'cjs', target: 'node22' },
      ...{ metafile: true, write: false, logLevel: 'error' },
    }));
    loaded = loadedAtOnce(metafile);
  });

  it('is no codec, no decoder and no server of a panel [K5]', () => {
    const sources = loaded.filter((file) => file.startsWith('src/'));
    assert.ok(sources.length > 100, `${sources.length} files`);
    const needless = sources.filter((file) => onlyWhenAsked.some((kind) => kind.test(file)));
    assert.deepEqual(needless, []);
  });

  it('is one package of others, which validates what comes in [K5]', () => {
    const found = loaded.flatMap((file) => packageOf(file) ?? []);
    assert.deepEqual([...new Set(found)], packages);
  });

  it('is small [K5]', () => {
    const [output] = Object.values(metafile.outputs);
    const bytes = loaded.map((file) => output?.inputs[file]?.bytesInOutput ?? 0);
    const sum = bytes.reduce((total, each) => total + each, 0);
    assert.ok(sum > 100_000 && sum < bytesMax, `${sum} bytes`);
  });
});

/** The files that run before anything is asked for: all but what `import()` brings. */
function loadedAtOnce({ inputs }: Metafile): string[] {
  const files = new Set([entry]);
  for (const file of files) {
    for (const { kind, path: imported, external } of inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import' && !external) files.add(imported);
  }
  return [...files];
}

function packageOf(file: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
}
