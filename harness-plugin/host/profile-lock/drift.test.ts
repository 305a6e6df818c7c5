import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProfileLock } from '../../protocol/index.ts'
import { value } from '../host-testing.ts'
import { COMMIT, edited, kinds, LOCKFILE, locksForTests } from './testing.ts'

const { its, lockOf, driftOf } = locksForTests()

describe('a profile and a lock', () => {
  test('a profile and a lock are the same where only this machine has a plugin, whatever version that has', async () => {
    const lock = await lockOf()
    await writeFile(join(its.home.directory, 'node_modules/other/package.json'), '{"name":"other","version":"4.0.0"}')
    expect(await driftOf(lock)).toEqual([])
  })

  test('a profile and a lock are the same, although package.json and the lock of the package manager are written in another way', async () => {
    const lock = await lockOf()
    expect(await driftOf(lock)).toEqual([])
    const directory = its.home.directory
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    manifest.dependencies = { ...manifest.dependencies, good: '1.0.0', kite: `github:moss/kite#${COMMIT}` }
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(directory, 'pnpm-lock.yaml'), `# Another layout.\n${LOCKFILE}`)
    expect(await driftOf(lock)).toEqual([])
  })

  test('a profile and a lock are the same where nothing is installed, as in CI', async () => {
    const lock = await lockOf()
    await rm(join(its.home.directory, 'node_modules'), { recursive: true })
    expect(await driftOf(lock)).toEqual([])
  })

  test('a profile and a lock differ in each thing that a user would notice, and the comparison says in which', async () => {
    const lock = await lockOf()
    const [good, kite, other] = lock.plugins
    const changed = (change: Partial<ProfileLock>) => driftOf({ ...lock, ...change }).then(kinds)
    const withPlugin = (...plugins: ProfileLock['plugins'][number][]) => changed({ plugins })
    expect(await withPlugin({ ...good!, version: '1.1.0' }, kite!, other!)).toEqual(['version good'])
    expect(await withPlugin({ ...good!, integrity: 'sha512-x' }, kite!, other!)).toEqual(['content good'])
    expect(await withPlugin({ ...good!, off: false, held: null }, kite!, other!)).toEqual(['off good', 'held good'])
    expect(await withPlugin(good!, { ...kite!, commit: 'b2'.repeat(20) }, other!)).toEqual(['commit kite'])
    expect(await withPlugin(good!, { ...kite!, spec: 'github:fern/kite' }, other!)).toEqual(['source kite'])
    expect(await withPlugin(good!, other!)).toEqual(['extra kite'])
    expect(await withPlugin(good!, kite!, { ...other!, name: 'gone' })).toEqual(['local gone', 'extra other'])
    expect(await withPlugin(good!, kite!, { ...good!, name: 'gone' })).toEqual(['missing gone', 'extra other'])
    expect(await changed({ layers: ['kite', '@deepseek-ai/dsh-base', 'other'] })).toEqual(['order layers'])
    expect(await changed({ layers: ['@deepseek-ai/dsh-base', 'kite'] })).toEqual([])
    const page = '@deepseek-ai/dsh-web-app'
    expect(await changed({ layers: ['@deepseek-ai/dsh-base', page, 'kite'] })).toEqual([`harness ${page}`])
    expect(await changed({ layers: ['kite'] })).toEqual(['harness @deepseek-ai/dsh-base'])
    const packages = edited(lock.packages, ['needed@2.0.0', 'needed@3.0.0'], ['0f1e', '0f2e'])
    expect(await changed({ packages })).toEqual(['packages good@1.0.0 (patch), needed@2.0.0, needed@3.0.0'])
    // A sentence has the first five; the document has all.
    const more = Array.from({ length: 7 }, (_, at) => `  more${at}@1.0.0: { resolution: { integrity: sha512-x } }`)
    const [drift] = await driftOf({
      ...lock,
      packages: edited(lock.packages, ['packages:', ['packages:', ...more].join('\n')]),
    })
    expect(drift).toMatchObject({ kind: 'packages', found: '7', names: more.map((_, at) => `more${at}@1.0.0`) })
    expect(drift?.name.split(', ')).toHaveLength(5)
    expect(await changed({ packages: null })).toEqual([])
  })

  test.each([
    ['', 'other-form'],
    ['{', 'not-json'],
    ['[]', 'other-form'],
    ['{"plugmark":3}', 'newer'],
    ['{"plugmark":2}', 'other-form'],
    ['{"plugmark":"2"}', 'other-form'],
    ['{"plugmark":1,"plugins":[]}', 'other-form'],
    ['{"dependencies":{"good":1}}', 'other-form'],
    ['null', 'no-lock'],
    ['"good"', 'other-form'],
  ])('a profile and a lock cannot be compared where the file is %s: %s', async (text, problem) => {
    expect(value(await its.host.lockDrift('web', text))).toMatchObject({ problem })
    if (problem === 'not-json' || problem === 'newer')
      expect(value(await its.host.calls.planSync({ profile: 'web', text }))).toMatchObject({ problem })
  })
})
