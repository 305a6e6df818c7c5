import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addByHand, createHome, dsh, profileHash, removeByHand } from '../harness/home.ts'
import { isLive } from '../harness/versions.ts'
import { packVersion } from '../registry/packages.ts'
import { startRegistry } from '../registry/registry.ts'
import { aHost, endOf, expect, idOf, perform, test } from './host.ts'
import { dependencies, layers } from './test.ts'

const NOTES = 'dsh-plugin-harbor-notes'
const KITE = 'dsh-plugin-paper-kite'
const KITE_SPEC = `github:lanternworks/${KITE}`

// Trials are tested in trial.spec.ts.
test.use({ options: { trial: false } })

test('lists what the package manager lists, each with its listing', async ({ host, home }) => {
  await perform(host, NOTES)
  await perform(host, KITE)
  const installed = await host.calls.installed({ profile: 'web' })
  if (!installed.ok) throw new Error(installed.message)
  expect(installed.value).toMatchObject([
    { name: NOTES, version: '1.2.0', listing: idOf(NOTES), layer: true, removable: true, unmanagedReason: null },
    { name: KITE, version: '0.9.0', listing: idOf(KITE), layer: true, removable: true, unmanagedReason: null },
  ])
  const [listed] = JSON.parse(await dsh(home, 'plugin', '--profile', 'web', 'list', '--json'))
  const versions = (plugins: Iterable<readonly [string, unknown]>) => Object.fromEntries(plugins)
  expect(versions(installed.value.map(({ name, version }) => [name, version]))).toEqual(
    versions(Object.entries<{ version: string }>(listed.dependencies).map(([name, { version }]) => [name, version])),
  )
})

test('finds a newer version, updates to it, and removes it', { tag: '@matrix' }, async ({ host, home }) => {
  const registry = await startRegistry()
  try {
    await home.setRegistry(registry.url)
    await addByHand(home, NOTES)
    registry.publish(await packVersion(NOTES, { version: '2.0.0' }))
    expect(await host.calls.installed({ profile: 'web' })).toMatchObject({ value: [{ latest: null }] })
    expect(await host.calls.checkUpdates({ profile: 'web' })).toMatchObject({
      value: [{ name: NOTES, version: '1.2.0', latest: '2.0.0' }],
    })

    const { outcome } = await perform(host, NOTES, 'update')
    expect(outcome).toMatchObject({ kind: 'updated', subjects: ['1.2.0', '2.0.0'], activation: 'restart' })
    expect(await host.calls.checkUpdates({ profile: 'web' })).toMatchObject({
      value: [{ version: '2.0.0', latest: null }],
    })
    const again = await perform(host, NOTES, 'update')
    expect(again.outcome).toMatchObject({
      kind: 'nothing-to-do',
      subjects: ['2.0.0', '2.0.0'],
      activation: 'unchanged',
    })

    const older = { id: idOf(NOTES), profile: 'web', action: 'install', version: '1.2.0' } as const
    const review = await host.calls.review(older)
    if (!review.ok) throw new Error(review.message)
    expect(review.value.cautions).toContain('other-version')
    const { id, token } = review.value
    const back = await endOf(host, await host.calls.start({ id, token, acknowledged: true }))
    expect(back.kind).toBe('registered')
    expect(await host.calls.installed({ profile: 'web' })).toMatchObject({
      value: [{ version: '1.2.0' }],
    })

    const removed = await perform(host, NOTES, 'remove')
    expect(removed.outcome).toMatchObject({
      kind: 'removed',
      activation: isLive(home.version) ? 'restart-unless-applied' : 'restart',
      profile: { dependency: false },
    })
    expect(await layers(home)).toEqual([])
    expect(await dependencies(home)).toEqual([])
  } finally {
    await registry.close()
  }
})

test('updates and removes a repository by the name of its package', async ({ host, home }) => {
  await addByHand(home, KITE_SPEC)
  const { outcome, command } = await perform(host, KITE, 'update')
  expect(command).toBe(`dsh plugin --profile web update --latest ${KITE}`)
  expect(outcome).toMatchObject({ kind: 'nothing-to-do', subjects: ['0.9.0', '0.9.0'] })
  expect((await perform(host, KITE, 'remove')).outcome.kind).toBe('removed')
  expect(await dependencies(home)).toEqual([])
})

test('finds a newer commit of a repository and updates to it', { tag: '@matrix' }, async ({
  api,
  harnessVersion: version,
}) => {
  const registry = await startRegistry()
  const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version })
  const host = aHost(home, { baseUrl: api.url })
  try {
    await addByHand(home, KITE_SPEC)
    const checked = () => host.calls.checkUpdates({ profile: 'web' })
    expect(await checked()).toMatchObject({ value: [{ name: KITE, latest: null }] })
    const commit = await registry.commit(`lanternworks/${KITE}`)
    expect(await host.calls.installed({ profile: 'web' })).toMatchObject({ value: [{ latest: null }] })
    expect(await checked()).toMatchObject({ value: [{ version: '0.9.0', latest: commit.slice(0, 7) }] })
    // Both commits are read, and have the same files.
    expect(await host.calls.updateDiff({ package: KITE, profile: 'web', after: null })).toMatchObject({
      value: { package: KITE_SPEC, after: commit, files: { state: 'read', changed: [] } },
    })

    expect((await perform(host, KITE, 'update')).outcome).toMatchObject({ kind: 'updated' })
    expect(await readFile(join(home.home, 'profiles/web/pnpm-lock.yaml'), 'utf8')).toContain(commit)
    expect(await host.calls.installed({ profile: 'web' })).toMatchObject({ value: [{ latest: null }] })
  } finally {
    await host.close()
    await home.dispose()
    await registry.close()
  }
})

test('a failed update leaves the installed version', async ({ host, home }) => {
  const registry = await startRegistry()
  try {
    await home.setRegistry(registry.url)
    await addByHand(home, NOTES)
    const dependencies = { 'not-published': '^1.0.0' }
    registry.publish(await packVersion(NOTES, { version: '2.0.0', dependencies }))
    const before = await profileHash(home)
    expect((await perform(host, NOTES, 'update')).outcome).toMatchObject({
      kind: 'not-found',
      subjects: ['not-published'],
      rollback: 'complete',
      profile: { registered: true },
    })
    expect(await profileHash(home)).toBe(before)
    expect(await layers(home)).toEqual([NOTES])
  } finally {
    await registry.close()
  }
})

// pnpm 12 takes the package from its store.
test('names a missing tarball, and removes the package that needs it', { tag: '@only-0.1' }, async ({ host, home }) => {
  const { tarball } = await packVersion('dsh-plugin-tide-table', { version: '7.0.0' })
  const file = join(home.home, 'tide-table.tgz')
  await writeFile(file, tarball)
  await addByHand(home, file)
  await rm(file)
  const before = await profileHash(home)
  expect((await perform(host, NOTES)).outcome).toMatchObject({
    kind: 'file-missing',
    subjects: ['$DSH_HOME/tide-table.tgz', 'dsh-plugin-tide-table'],
    rollback: 'complete',
  })
  expect(await profileHash(home)).toBe(before)
  await removeByHand(home, 'dsh-plugin-tide-table')
  expect((await perform(host, NOTES)).outcome.kind).toBe('registered')
})

test('never touches a package that it cannot name', async ({ host, home }) => {
  const file = join(home.home, 'profiles', home.profile, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  manifest.dependencies = { [NOTES]: 'git+ssh://git@private.example/notes.git' }
  await writeFile(file, JSON.stringify(manifest))
  const before = await profileHash(home)
  for (const action of ['install', 'update', 'remove', 'approve'] as const)
    expect(await host.calls.review({ id: idOf(NOTES), profile: 'web', action })).toMatchObject({
      ok: false,
      code: 'other-source',
    })
  expect(await profileHash(home)).toBe(before)
})
