/** Imports run one way: shared ← mock-api, userscript, harness-plugin/host ← shells ← e2e. */
const only = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(shared|mock-api|userscript|harness-plugin|e2e)/', pathNot: to },
})

/**
 * Creates the rules of a table of folders, each with those that it may import. A folder may only name folders above it in
 * the table, so there is no circle between folders; and every folder is in the table.
 *
 * @param options.filesFor files that a folder may import beside them, as a pattern
 */
function rulesOf(table, { name, root, filesFor }) {
  const rules = Object.entries(table).map(([folder, names], index, all) => {
    const imports = names.split(' ').filter(Boolean)
    const above = all.slice(0, index).map(([one]) => one)
    for (const one of imports)
      if (!above.includes(one)) throw new Error(`${root}${folder} may not name ${one}: it is not above it`)
    const folders = [folder, ...imports].join('|')
    return {
      name: `${name}-${folder}`,
      comment: `${root}${folder} imports ${imports.join(', ') || 'no other folder of the table'}`,
      severity: 'error',
      from: { path: `^${root}${folder}/(?!.*test)` },
      to: { path: `^${root}`, pathNot: `^${root}((${filesFor(folder)})\\.ts$|(${folders})/)` },
    }
  })
  const known = {
    name: `${name}-folder-in-table`,
    comment: `every folder of ${root} is in its table`,
    severity: 'error',
    from: {},
    to: { path: `^${root}(?!(${Object.keys(table).join('|')})/).+/` },
  }
  return [...rules, known]
}

/**
 * Files right in the host put the parts together: only `answers` imports them. All import `json-file.ts`, which stores the
 * small state of each, and `kept-answers.ts`, which keeps answers in memory.
 */
const HOST_FOLDERS = {
  process: '',
  profile: 'process',
  registry: 'process',
  builds: 'process profile registry',
  harness: 'process profile builds',
  releases: 'process harness registry',
  inspection: 'process profile registry releases',
  trial: 'process profile harness builds',
  transaction: 'process profile harness trial',
  catalogue: '',
  plugins: 'process profile registry builds harness releases inspection trial catalogue',
  doctor: 'process profile registry builds harness inspection trial transaction plugins',
  'profile-lock': 'process profile harness plugins doctor',
  jobs: 'process profile registry builds harness releases inspection trial transaction plugins doctor profile-lock',
  review: 'process profile registry builds harness releases inspection trial catalogue plugins jobs',
  answers:
    'process profile registry builds harness releases inspection trial transaction catalogue plugins doctor profile-lock jobs review',
}
const hostFolders = rulesOf(HOST_FOLDERS, {
  name: 'host',
  root: 'harness-plugin/host/',
  filesFor: (folder) => `json-file|kept-answers${folder === 'answers' ? '|parts|settings' : ''}`,
})

/**
 * `start` runs on every page, so it imports nothing of what only use needs. `app.ts` is what each feature gets; `rest.ts`
 * puts the features together, and `main.ts` imports it when `start` asks for it.
 */
const USERSCRIPT_FOLDERS = {
  base: '',
  i18n: '',
  ui: 'base i18n',
  github: 'base',
  manager: 'base',
  start: 'base i18n ui github manager',
  settings: 'base github manager start',
  catalogue: 'base github manager start',
  'features/settings': 'base ui i18n github start settings',
  'features/badges': 'base ui i18n github start catalogue features/settings',
  'features/card': 'base ui i18n github start catalogue features/settings features/badges',
  'features/repository-card': 'base ui github features/card',
  'features/keyboard': 'github start',
  'features/summary': 'base ui i18n github start settings features/settings features/keyboard',
}
const userscriptFolders = rulesOf(USERSCRIPT_FOLDERS, {
  name: 'userscript',
  root: 'userscript/src/',
  filesFor: (folder) => (folder.startsWith('features/') ? 'app' : ''),
})

/** What serves a real directory knows no fault, no quirk and nothing invented. */
const MOCK_FOLDERS = {
  package: '',
  catalogue: '',
  api: 'catalogue',
  tools: 'package catalogue api',
  invented: 'catalogue',
  mock: 'catalogue api tools invented',
}
const mockFolders = rulesOf(MOCK_FOLDERS, { name: 'mock', root: 'mock-api/', filesFor: () => '' })

module.exports = {
  forbidden: [
    only('shared', '^shared/', '^shared/', 'shared knows no page, no harness, no UI'),
    only('contract', '^shared/contract/', '^shared/contract/', 'the contract stands on nothing'),
    only('client', '^shared/client/', '^shared/(client|contract)/', 'the client knows the contract'),
    only('async', '^shared/async/', '^shared/async/', 'async helpers know no task'),
    only(
      'index-cache',
      '^shared/index-cache/',
      '^shared/(index-cache|async|contract|file-lock)/',
      'the cache takes its fetch as a parameter',
    ),
    only('file-lock', '^shared/file-lock/', '^shared/(file-lock|async)/', 'a lock over processes is for anything'),
    only('install', '^shared/install/', '^shared/(install|contract)/', 'install commands know the contract'),
    only('i18n', '^shared/i18n/', '^shared/(i18n|contract|install)/', 'messages for ids'),
    only('mock-api', '^mock-api/', '^(mock-api|shared)/', 'the mock serves the contract'),
    ...mockFolders,
    only('userscript', '^userscript/', '^(userscript|shared)/', 'the userscript knows shared'),
    only(
      'protocol',
      '^harness-plugin/protocol/',
      '^(harness-plugin/(protocol/|config\\.ts$)|shared/)',
      'the calls and events of host and page, with their schemas',
    ),
    {
      name: 'pages-load-no-schemas',
      comment: 'these files have the schemas; index.ts has their types alone',
      severity: 'error',
      from: { path: '^harness-plugin/(view|search|messages|koishi/page|dsh/client)/' },
      to: {
        path:
          '^harness-plugin/(protocol/(jobs|listings|profile-lock|profiles|protocol|review|text)\\.ts$|' +
          'client/(?!client\\.ts$))',
      },
    },
    only(
      'config',
      '^harness-plugin/config\\.ts$',
      '^(harness-plugin/config\\.ts$|shared/)',
      'host and shells are configured alike, so it is none of theirs',
    ),
    only(
      'host',
      '^harness-plugin/host/',
      '^(harness-plugin/(host/|protocol/|config\\.ts$)|shared/)',
      'the host knows no screen and no shell',
    ),
    ...hostFolders,
    ...userscriptFolders,
    only(
      'store-client',
      '^harness-plugin/client/(?!.*\\.test\\.ts$)',
      '^(harness-plugin/(client|host|messages|search|protocol)|shared)/',
      'the client of screen, command line, MCP and agents’ tools knows no shell',
    ),
    only(
      'agents',
      '^harness-plugin/agents/(?!.*\\.test\\.ts$)',
      '^(harness-plugin/(agents|client|messages|search|protocol)|shared)/',
      'agents are offered the same tools in the harness and over MCP',
    ),
    only(
      'search',
      '^harness-plugin/search/(?!.*\\.test\\.ts$)',
      '^(harness-plugin/(search|messages|protocol)|shared)/',
      'screen, agents and command line search alike, so it is none of theirs',
    ),
    only(
      'messages',
      '^harness-plugin/messages/',
      '^(harness-plugin/(messages|protocol)|shared)/',
      'what the user reads, in a browser or a terminal',
    ),
    only(
      'view',
      '^harness-plugin/view/',
      '^(harness-plugin/(view|client|messages|search|protocol)|shared)/',
      'the screen knows its bridge, and no host',
    ),
    only(
      'koishi',
      '^harness-plugin/koishi/',
      '^(harness-plugin/(config\\.ts$|(koishi|host|view|messages|search|protocol)/)|shared/)',
      'a shell imports no other',
    ),
    only(
      'dsh',
      '^harness-plugin/dsh/',
      '^(harness-plugin/(config\\.ts$|(dsh|agents|client|host|view|messages|search|protocol)/)|shared/)',
      'a shell imports no other',
    ),
    only(
      'cli',
      '^harness-plugin/cli/',
      '^(harness-plugin/(cli|agents|client|host|messages|search|protocol)|shared)/',
      'a shell imports no other, and a terminal has no screen',
    ),
    {
      name: 'agpl-stays-in-the-koishi-shell',
      comment: 'the console packages are AGPL; the rest of the project is MIT',
      severity: 'error',
      from: {
        path: '^(shared/|mock-api/|userscript/|harness-plugin/(?!koishi/))',
      },
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
