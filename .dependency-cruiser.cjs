// The layers, as law: imports go down only, type imports count, cycles are errors.
const layer = (name, allowed) => ({
  name: `${name}-imports-down-only`,
  severity: 'error',
  from: { path: `^src/${name}/` },
  to: { path: '^src/', pathNot: `^src/((${[name, ...allowed].join('|')})/|version\\.ts$)` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    layer('base', []),
    layer('protocol', ['base']),
    layer('storage', ['base', 'protocol']),
    layer('replication', ['base', 'protocol', 'storage']),
    layer('coordinator', ['base', 'protocol', 'storage']),
    layer('broker', ['base', 'shared', 'protocol', 'storage', 'replication', 'coordinator']),
    layer('cli', ['base', 'shared', 'broker']),
    layer('api', ['base', 'shared', 'broker', 'cli']),
    layer('client', ['base', 'protocol']),
    layer('codec', ['base', 'shared', 'protocol']),
    layer('cluster', ['base', 'shared', 'protocol', 'client', 'codec']),
    layer('ui', ['base', 'shared', 'protocol', 'client', 'codec', 'cluster']),
    {
      name: 'shared-and-webview-see-shared-and-words-only',
      severity: 'error',
      from: { path: '^(src/shared|webview)/' },
      to: { path: '^src/', pathNot: '^src/(shared/|base/l10n\\.ts$)' },
    },
    {
      name: 'the-broker-speaks-english',
      severity: 'error',
      from: { path: '^src/(protocol|storage|replication|coordinator|broker|cli|api)/' },
      to: { path: '^src/base/l10n\\.ts$' },
    },
    {
      name: 'only-the-kit-knows-the-toolkit',
      severity: 'error',
      from: { path: '^webview/', pathNot: '^webview/kit/' },
      to: { path: 'node_modules/@(vscode|microsoft)/' },
    },
    {
      name: 'only-ui-imports-vscode',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(ui/|extension\\.ts$)' },
      to: { path: '^vscode$|node_modules/@types/vscode/' },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^(src|webview)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'], exportsFields: ['exports'] },
  },
};
