import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostForTests } from '../host-testing.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { furnish, hashTree } from '../testing.ts'

/** Stands in for a harness whose pnpm takes an old release of a plugin, which only reserves its name. */
const PROGRAM = `
  const fs = require('node:fs')
  const name = process.argv.at(-1)
  if (name === '--version') process.exit()
  process.chdir(process.env.DSH_HOME + '/profiles/web')
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  manifest.dependencies[name] = '^0.0.1'
  fs.writeFileSync('package.json', JSON.stringify(manifest))
  fs.mkdirSync('node_modules/' + name, { recursive: true })
  fs.writeFileSync('node_modules/' + name + '/package.json', '{"version":"0.0.1"}')`

const { its, install, ended } = hostForTests()
let registry: RegistryForTests
const isoBefore = (ms: number) => new Date(Date.now() - ms).toISOString()
const DAY_MS = 24 * 60 * 60_000

beforeEach(async () => {
  await furnish(its.home.directory)
  await writeFile(join(its.home.home, 'program.cjs'), PROGRAM)
  const bin = join(its.home.home, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'pnpm'), `#!/bin/sh\necho '{"userAgent":"pnpm/11.28.11 npm/?"}'`)
  await chmod(join(bin, 'pnpm'), 0o755)
  registry = await startRegistryForTests({})
  its.create({ env: { PATH: `${bin}:${process.env.PATH}` }, registry: registry.url })
})
afterEach(() => registry.close())

test('names the release that may not be installed yet when only an old placeholder may, and changes nothing', async () => {
  const before = await hashTree(its.home.directory, ['.plugmark'])
  registry.serve({
    good: { '0.0.1': { release: isoBefore(90 * DAY_MS) }, '1.0.0': { release: isoBefore(DAY_MS / 2) } },
  })
  const { outcome } = await ended((await install('a/good')).id)
  expect(outcome).toMatchObject({ kind: 'too-new', rollback: 'complete' })
  expect(outcome?.subjects).toEqual(['good@1.0.0', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/)])
  expect(await hashTree(its.home.directory, ['.plugmark'])).toBe(before)
})

test('says that a package is not a plugin when no release of it waits', async () => {
  registry.serve({ good: { '0.0.1': { release: isoBefore(90 * DAY_MS) } } })
  const { outcome } = await ended((await install('a/good')).id)
  expect(outcome).toMatchObject({ kind: 'not-a-layer', rollback: 'complete' })
})
