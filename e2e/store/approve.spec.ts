import { access, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { JobAction } from '@plugmark/harness-plugin/host'
import { parse } from 'yaml'
import { createHome, dsh, type Home, profileHash } from '../harness/home.ts'
import { packVersion } from '../registry/packages.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import { aHost, expect, idOf, perform, test } from './host.ts'
import { layers } from './test.ts'

test.use({ directory: { catalogue: credulousDirectory() } })

const BELL = 'dsh-plugin-copper-bell'
const MILL = 'dsh-plugin-slate-mill'
const workspace = ({ home, profile }: Home) => join(home, 'profiles', profile, 'pnpm-workspace.yaml')
/** Returns true if the build script of the bell ran in the profile. */
const isBuilt = ({ home, profile }: Home) =>
  access(join(home, 'profiles', profile, 'node_modules', BELL, 'tone.js')).then(
    () => true,
    () => false,
  )

for (const [pnpm, setting, tag] of [
  [10, 'onlyBuiltDependencies', '@only-0.1'],
  [11, 'allowBuilds', '@only-0.1'],
  [12, 'allowBuilds', '@only-0.2'],
] as const) {
  test.describe(`pnpm ${pnpm}`, { tag }, () => {
    test.use({
      home: async ({ registry, harnessVersion: version }, use) => {
        const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, pnpm, version })
        await use(home)
        await home.dispose()
      },
      options: async ({ home }, use) => use({ stateDir: join(home.home, '../state') }),
    })

    test('remembers a blocked build script over a restart, allows it by its exact key, and runs it', async ({
      api,
      host: first,
      home,
      options,
    }) => {
      let host = first
      const before = await profileHash(home)
      expect(await host.calls.review({ id: idOf(BELL), profile: 'web', action: 'approve' })).toMatchObject({
        ok: false,
        code: 'nothing-blocked',
      })
      expect((await perform(host, BELL)).outcome).toMatchObject({ kind: 'build-blocked', rollback: 'complete' })
      expect(await profileHash(home)).toBe(before)
      await host.close()
      host = aHost(home, { baseUrl: api.url, ...options })

      await writeFile(workspace(home), `# by hand\n${await readFile(workspace(home), 'utf8')}`)
      const text = await readFile(workspace(home), 'utf8')
      const key = `${BELL}@0.4.1`
      expect(await host.calls.review({ id: idOf(BELL), profile: 'web', action: 'approve' })).toMatchObject({
        value: {
          command: `dsh plugin --profile web add ${BELL}`,
          cautions: ['risk-flags', 'build-scripts'],
          approval: {
            setting,
            builds: [{ package: BELL, version: '0.4.1', key, scripts: { postinstall: 'node build.js' } }],
          },
        },
      })
      const { outcome } = await perform(host, BELL, 'approve')
      expect(outcome).toMatchObject({ kind: 'registered', trial: { harnessStarted: true } })
      expect(await layers(home)).toEqual([BELL])
      expect(await isBuilt(home)).toBe(true)
      const entry = setting === 'allowBuilds' ? `  ${key}: true` : `  - ${key}`
      expect(await readFile(workspace(home), 'utf8')).toBe(`${text.trimEnd()}\n${setting}:\n${entry}\n`)
      await host.close()
    })

    test('allows the build of a repository at one commit only', { tag: '@matrix' }, async ({ host, home }) => {
      const before = await profileHash(home)
      const settings = await readFile(workspace(home), 'utf8')
      // The script is shown before anything of the repository runs.
      const first = await host.calls.review({ id: idOf(MILL), profile: 'web', action: 'install' })
      const { id, token } = first.ok ? first.value : { id: '', token: '' }
      const read = await host.calls.facts({ id, token, wanted: ['code'] })
      expect(read).toMatchObject({
        value: {
          code: {
            code: {
              abilities: expect.arrayContaining([
                expect.objectContaining({ kind: 'install-scripts', names: ['prepare: node build.js'] }),
              ]),
            },
          },
        },
      })
      expect((await perform(host, MILL)).outcome).toMatchObject({ kind: 'build-blocked', rollback: 'complete' })
      expect(await profileHash(home)).toBe(before)
      const review = await host.calls.review({ id: idOf(MILL), profile: 'web', action: 'approve' })
      expect(review).toMatchObject({
        value: { approval: { setting, builds: [{ package: MILL, scripts: { prepare: 'node build.js' } }] } },
      })
      const key = review.ok ? review.value.approval?.builds[0]?.key : ''
      expect(key).toMatch(/^dsh-plugin-slate-mill@git\+https:\/\/github\.com\/lanternworks\/.*#[0-9a-f]{40}$/)
      expect((await perform(host, MILL, 'approve')).outcome).toMatchObject({ kind: 'registered' })
      const text = await readFile(workspace(home), 'utf8')
      expect(Object.keys(parse(text))).toEqual([...Object.keys(parse(settings)), setting])
      expect(parse(text)[setting]).toEqual(setting === 'allowBuilds' ? { [`${key}`]: true } : [key])
    })

    if (pnpm > 10)
      test('allows the build of a tarball by its path from the profile', { tag: '@matrix' }, async ({ host, home }) => {
        const file = join(home.home, `a-name-that-is-so-long-that-what-tells-of-it-is-broken-${BELL}-0.5.0.tgz`)
        await writeFile(file, (await packVersion(BELL, { version: '0.5.0' })).tarball)
        await expect(dsh(home, 'plugin', '--profile', home.profile, 'add', file)).rejects.toThrow()
        const name = 'dsh-plugin-harbor-notes'
        const key = `${BELL}@file:../../${basename(file)}`
        const blocked = await perform(host, name)
        expect(blocked.outcome).toMatchObject({ kind: 'build-blocked', subjects: [key], rollback: 'complete' })
        const review = await host.calls.review({ id: idOf(name), profile: 'web', action: 'approve' })
        expect(review).toMatchObject({
          value: { approval: { builds: [{ package: BELL, key, scripts: { postinstall: 'node build.js' } }] } },
        })
        expect((await perform(host, name, 'approve')).outcome).toMatchObject({ kind: 'registered' })
        expect(parse(await readFile(workspace(home), 'utf8')).allowBuilds).toEqual({ [key]: true })
        expect(await isBuilt(home)).toBe(true)
      })

    test.describe('without a trial', () => {
      test.use({ options: { trial: false } })

      test('installs, updates and removes good plugins, and undoes failed installs', { tag: '@matrix' }, async ({
        host,
        home,
      }) => {
        const outcomeOf = async (...job: [name: string, action?: JobAction]) => (await perform(host, ...job)).outcome
        expect((await outcomeOf('dsh-plugin-harbor-notes')).kind).toBe('registered')
        expect((await outcomeOf('dsh-plugin-harbor-notes', 'update')).kind).toBe('nothing-to-do')
        expect(await outcomeOf('dsh-plugin-dry-well')).toMatchObject({ kind: 'not-a-layer', rollback: 'complete' })
        expect(await outcomeOf('dsh-plugin-lost-ferry')).toMatchObject({ kind: 'not-found', rollback: 'complete' })
        expect((await outcomeOf('dsh-plugin-harbor-notes', 'remove')).kind).toBe('removed')
        expect(await layers(home)).toEqual([])
      })
    })
  })
}

test('without a trial, a blocked build is undone in the profile itself', { tag: '@only-0.1' }, async ({
  home,
  api,
}) => {
  const host = aHost(home, { baseUrl: api.url, trial: false })
  try {
    await perform(host, 'dsh-plugin-harbor-notes')
    const before = await profileHash(home)
    expect((await perform(host, BELL)).outcome).toMatchObject({
      kind: 'build-blocked',
      rollback: 'complete',
      trial: null,
    })
    expect(await profileHash(home)).toBe(before)
    expect((await perform(host, BELL, 'approve')).outcome).toMatchObject({ kind: 'registered', trial: null })
  } finally {
    await host.close()
  }
})
