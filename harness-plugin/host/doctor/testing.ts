import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { beforeEach } from 'vitest'
import { hostForTests, value, whenRecovered } from '../host-testing.ts'
import type { HostOptions } from '../settings.ts'
import { hashTree } from '../testing.ts'
import { WEB_LAYER } from '../trial/trial-home.ts'
import type { DoctorOptions } from './diagnose.ts'

/**
 * Stands in for the harness. Has packages of its own. Does not start with a missing layer, with one called `broken`, or
 * with one called `denied`, which it always reports as missing. Never comes up with one called `slow`. Skips missing
 * layers in a home with a file `skips`.
 */
const HARNESS = `
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const file = (name) => existsSync(__dirname + '/' + name) && readFileSync(__dirname + '/' + name, 'utf8')
if (process.argv.at(-1) === '--version') return void console.log(file('version') || '0.1.0')
const profile = process.env.DSH_HOME + '/profiles/web'
const { bundles } = JSON.parse(readFileSync(profile + '/package.json', 'utf8')).dsh.profile
const isThere = (name) => name !== 'denied' && (name.startsWith('@deepseek-ai/') || existsSync(profile + '/node_modules/' + name + '/package.json'))
const skips = existsSync(__dirname + '/skips')
for (const name of bundles.filter((name) => !isThere(name))) {
  console.error('Error: dsh: cannot resolve profile bundle ' + JSON.stringify(name) + ' from the dsh installation or ' + profile)
  if (!skips) process.exit(1)
}
if (new Set(bundles).size < bundles.length) { console.error('Error: dsh: a layer is loaded twice'); process.exit(1) }
if (process.argv.at(-1) === '--dump-config') return
if (existsSync(__dirname + '/hangs')) return void setInterval(() => {}, 1000)
console.error('starting')
if (bundles.some((name) => name.endsWith('broken'))) { console.error('Error: dsh: broken says no'); process.exit(1) }
if (bundles.includes('slow')) return void setInterval(() => {}, 1000)
if (bundles.includes('modern')) {
  console.error("SyntaxError: The requested module 'node:module' does not provide an export named 'stripTypeScriptTypes'")
  console.error('Node.js v20.11.1')
  process.exit(1)
}
if (existsSync(__dirname + '/daemon')) {
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  child.unref()
  writeFileSync(__dirname + '/pid', String(child.pid))
}
const row = (name, state) => ({ id: name, name, disabled: false, state })
const rows = [row('a', bundles.includes('waits') ? 0 : 2), ...(bundles.includes('kite') ? [row('kite', existsSync(__dirname + '/sound') ? 2 : 0)] : [])]
const spoils = bundles.find((name) => name.startsWith('spoils'))
const up = existsSync(__dirname + '/browser') ? spoils === undefined : null
const screen = { opened: false, refused: false, up, text: spoils ? 'Failed to load plugins ' + (spoils === 'spoils' ? spoils : '') : '' }
const report = { loaded: true, rows, layers: null, port: null, entrance: null, screen, ...JSON.parse(file('report') || '{}') }
if (rows.some(({ id, state }) => id === 'kite' && state === 0)) console.error('kite (kite): Error: no wind')
let at = 0
setInterval(() => {
  writeFileSync('report.part', JSON.stringify({ at, ...report }))
  renameSync('report.part', 'report.json')
  at += 2000
}, 100)`

/** Creates a host over this harness for each test, and what tests of a doctor do with its profile. */
export function doctorForTests() {
  const { its, ended } = hostForTests()

  const file = (name: string) => join(its.home.directory, name)
  const hash = () => hashTree(its.home.directory, ['.plugmark'])

  function create(options: HostOptions = {}): void {
    its.create({ env: { PATH: [join(its.home.home, 'bin'), process.env.PATH].join(delimiter) }, ...options })
  }
  beforeEach(async () => {
    await writeFile(join(its.home.home, 'program.cjs'), HARNESS)
    await mkdir(join(its.home.home, 'bin'))
    await writeFile(join(its.home.home, 'bin/pnpm'), '#!/bin/sh\necho 10.34.9', { mode: 0o755 })
    create()
    await whenRecovered(its.host)
    await profileWith(['good'])
    await install('good')
  })

  /** Writes a profile whose package.json has a layout that no program produces. */
  async function profileWith(bundles: string[], dependencies: object = {}): Promise<void> {
    const profile = JSON.stringify({ bundles: ['@deepseek-ai/dsh-base', WEB_LAYER, ...bundles], more: 1 })
    await writeFile(
      file('package.json'),
      `{ "name" : "p",\n   "dependencies":${JSON.stringify(dependencies)},\n "dsh":{"profile": ${profile}}}`,
    )
  }
  async function install(name: string, manifest: object = {}): Promise<void> {
    await mkdir(file(`node_modules/${name}`), { recursive: true })
    await writeFile(file(`node_modules/${name}/package.json`), JSON.stringify({ version: '1.0.0', ...manifest }))
  }
  const doctor = (options: Partial<DoctorOptions> = {}) => its.host.doctor({ profile: 'web', ...options })
  const found = async (options?: Partial<DoctorOptions>) => {
    const { start, findings } = await doctor(options)
    return { start: start.state, findings: findings.map(({ kind, subjects }) => [kind, ...subjects]) }
  }
  const repair = async () => (await ended(value(await its.host.repair({ profile: 'web' })).id)).outcome!
  return { its, ended, file, hash, create, profileWith, install, doctor, found, repair }
}
