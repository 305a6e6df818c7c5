import { insertRow, type TestPlugins } from './plugin-folder.ts'

/** A browser half that registers as this plugin. */
const registered = (name: string, factory: string) =>
  `window.__ModuleLoader__.load({ id: 'dsh-plugin-${name}', factory: ${factory} })`

/** Plugins that are broken in one way each. Their errors are invented. */
export const BROKEN: TestPlugins = {
  'bad-apply': {
    description: 'Throws when it is applied.',
    host: "export function apply() { throw new Error('the anchor is fouled') }",
  },
  'bad-reject': {
    description: 'Is applied by a promise that rejects.',
    host: "export async function apply() { throw new Error('the tide never came') }",
  },
  'bad-load': {
    description: 'Throws when it is loaded, and leaves a temporary folder.',
    host: `import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
export function apply() {}
throw new Error('the keel is cracked in ' + mkdtempSync(tmpdir() + '/keel-'))`,
  },
  'bad-import': {
    description: 'Imports a package that it does not depend on.',
    host: "import 'a-package-nobody-installed'\nexport function apply() {}",
  },
  'bad-no-apply': { description: 'Is not a plugin: it exports no apply.', host: '' },
  'bad-service': {
    description: 'Waits for a service that nothing provides.',
    host: "export const inject = ['lighthouse']\nexport function apply() {}",
  },
  'bad-late': {
    description: 'Fails half a second after it was applied.',
    host: "export function apply() { setTimeout(() => Promise.reject(new Error('the mast came down later')), 500) }",
  },
  'bad-exit': {
    description: 'Ends the harness without an error.',
    host: 'export function apply() { process.exit(0) }',
  },
  'bad-output': {
    description: 'Prints the address of a harness that is up, and never comes up.',
    host: "export async function apply() { console.log('dsh web: http://127.0.0.1:1'); await new Promise(() => {}) }",
  },
  'bad-name': {
    description: 'Registers a command that dsh-plugin-harbor-notes has.',
    host: `export const inject = ['commands']
export function apply(ctx) {
  ctx.commands.register({ name: 'harbor-note', description: 'Mine', handler: () => ({ kind: 'success' }) })
}`,
  },
  'bad-disable': {
    description: 'Turns the web server off.',
    patch: `- id: webserver\n  disabled: true\n${insertRow('bad-disable', 'bad-disable')}`,
  },
  'bad-replace': {
    description: 'Takes the id of a row that other rows wait for.',
    patch: insertRow('timer', 'bad-replace'),
  },
  'bad-replace-quiet': {
    description: 'Takes the id of a row that no other row waits for.',
    patch: insertRow('session-title', 'bad-replace-quiet'),
  },
  'bad-target': {
    description: 'Its patch names a row that no harness has, and adds none.',
    patch: '- id: no-such-row\n  config:\n    anchor: true\n',
  },
  'bad-yaml': { description: 'Its patch is not YAML.', patch: '- insert: [\n' },
  'bad-client-apply': {
    description: 'Its browser half throws when it is applied.',
    client: registered('bad-client-apply', "() => ({ apply() { throw new Error('the rudder is lost') } })"),
  },
  'bad-client-factory': {
    description: 'Its browser half throws when it is made.',
    client: registered('bad-client-factory', "() => { throw new Error('the rope is too short') }"),
  },
  'bad-client-id': {
    description: 'Its browser half registers under another name.',
    client: registered('somebody-else', '() => ({ apply() {} })'),
  },
  'bad-client-load': {
    description: 'Its browser half throws before it registers.',
    client: "throw new Error('no sail was ever set')",
  },
  'bad-client-require': {
    description: 'Its browser half needs a module that the page does not have.',
    client: registered('bad-client-require', "(require) => ({ apply: require('a-module-no-page-has') })"),
  },
  'bad-client-service': {
    description: 'Its browser half waits for a service that nothing provides.',
    client: registered('bad-client-service', "() => ({ inject: ['lighthouse'], apply() {} })"),
  },
  'bad-client-syntax': {
    description: 'Its browser half does not parse.',
    client: registered('bad-client-syntax', '( '),
  },
}

/** Package names of all broken plugins. */
export const BROKEN_PLUGINS: readonly string[] = Object.keys(BROKEN).map((name) => `dsh-plugin-${name}`)
