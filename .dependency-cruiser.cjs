/** Imports run one way: shared ← mock-api, userscript, harness-plugin/host ← shells ← e2e. */
const only = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(shared|mock-api|userscript|harness-plugin|e2e)/', pathNot: to },
})

module.exports = {
  forbidden: [
    only('shared', '^shared/', '^shared/', 'shared knows no page, no harness, no UI'),
    only('contract', '^shared/contract/', '^shared/contract/', 'the contract stands on nothing'),
    only('client', '^shared/client/', '^shared/(client|contract)/', 'the client knows the contract'),
    only(
      'catalogue',
      '^shared/catalogue/',
      '^shared/(catalogue|contract)/',
      'the cache takes its fetch as a parameter',
    ),
    only('install', '^shared/install/', '^shared/(install|contract)/', 'install commands know the contract'),
    only('i18n', '^shared/i18n/', '^shared/(i18n|contract|install)/', 'messages for ids'),
    only('mock-api', '^mock-api/', '^(mock-api|shared)/', 'the mock serves the contract'),
    only('userscript', '^userscript/', '^(userscript|shared)/', 'the userscript knows shared'),
    only('bridge', '^harness-plugin/bridge/', '^(harness-plugin/bridge|shared)/', 'types that host and screen share'),
    only(
      'host',
      '^harness-plugin/host/',
      '^(harness-plugin/(host|bridge)|shared)/',
      'the host knows no screen and no shell',
    ),
    only(
      'search',
      '^harness-plugin/search/(?!.*\\.test\\.ts$)',
      '^(harness-plugin/(search|bridge)|shared)/',
      'screen, agents and command line search alike, so it is none of theirs',
    ),
    only(
      'view',
      '^harness-plugin/view/',
      '^(harness-plugin/(view|search|bridge)|shared)/',
      'the screen knows its bridge, and no host',
    ),
    only(
      'koishi',
      '^harness-plugin/koishi/',
      '^(harness-plugin/(koishi|host|view|search|bridge)|shared)/',
      'a shell imports no other',
    ),
    only(
      'dsh',
      '^harness-plugin/dsh/',
      '^(harness-plugin/(dsh|host|view|search|bridge)|shared)/',
      'a shell imports no other',
    ),
    {
      name: 'agpl-stays-in-the-koishi-shell',
      comment: 'the console packages are AGPL; the rest of the project is MIT',
      severity: 'error',
      from: { path: '^(shared|mock-api|userscript|harness-plugin/(dsh|host|view|search|bridge))/' },
      to: { path: '^(@koishijs/|koishi$)|koishi-client' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(virtual:|\\$)' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/|^e2e/registry/(packages|repositories)/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
