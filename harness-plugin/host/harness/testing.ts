import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Packages that the tests of the version gate install: all except `fits` require harness ^0.1.0. */
export const GATE_PACKAGES = {
  old: { '1.0.0': { engines: { dsh: '^0.1.0' } } },
  allowed: { '1.0.0': { engines: { dsh: '^0.1.0' } } },
  fits: { '1.0.0': { engines: { dsh: '^0.2.0' } } },
}

/** Makes the programs in a home belong to the package of a harness, whose version is then known without a start. */
export const placeVersion = (home: string, version = '0.2.1-rc.2') =>
  writeFile(join(home, 'package.json'), JSON.stringify({ name: '@deepseek-ai/dsh', version }))

/**
 * Places a program in a home that fails, of a harness of a known version, and makes the profile `web` accept
 * `allowed@1.0.0`.
 *
 * @returns options of a host
 */
export async function placeHarness(home: string, version = '0.2.1-rc.2') {
  const program = join(home, 'harness.cjs')
  await writeFile(program, 'process.exitCode = 1')
  await placeVersion(home, version)
  await writeFile(join(home, 'profiles/web/compatibility.json'), JSON.stringify({ 'allowed@1.0.0': [version] }))
  return { command: [process.execPath, program] }
}

/**
 * Stands in for the harness's program: adds the plugin `good` to a profile as a layer with one row, and starts as the
 * file `start` beside it says: `runs`, `waits` for a service, or `hangs`.
 */
export const LAYERING_HARNESS = `
  const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
  const args = process.argv.slice(2)
  if (args[0] === '--version') console.log('0.2.1')
  else if (args[0] === 'plugin') change()
  else if (args.at(-1) !== '--dump-config') start(readFileSync(__dirname + '/start', 'utf8'))
  function change() {
    const profile = process.env.DSH_HOME + '/profiles/web'
    mkdirSync(profile + '/node_modules/good', { recursive: true })
    const file = profile + '/package.json'
    const empty = '{"dependencies":{},"dsh":{"profile":{"bundles":[]}}}'
    const manifest = JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : empty)
    if (args.includes('add')) {
      manifest.dependencies.good = args.at(-1)
      manifest.dsh.profile.bundles.push('good')
      const dsh = { bundle: { patch: 'patch.yml' } }
      writeFileSync(profile + '/node_modules/good/package.json', JSON.stringify({ name: 'good', version: '1.0.0', dsh }))
      writeFileSync(profile + '/node_modules/good/patch.yml', '- insert: [{ id: good, name: good }]')
    }
    writeFileSync(file, JSON.stringify(manifest))
  }
  function start(how) {
    const rows = [{ id: 'good', name: 'good', disabled: false, state: how === 'runs' ? 2 : 0 }]
    const screen = { opened: false, refused: false, up: null, text: '' }
    const report = { loaded: true, rows, layers: null, port: null, entrance: null, screen }
    let at = 0
    setInterval(() => {
      if (how === 'hangs') return
      writeFileSync('report.part', JSON.stringify({ at, ...report }))
      renameSync('report.part', 'report.json')
      at += 2000
    }, 50)
  }`
