import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addByHand, createHome, profileHash } from '../harness/home.ts'
import { boots } from '../harness/running.ts'
import { packVersion } from '../registry/packages.ts'
import { startRegistry } from '../registry/registry.ts'
import { at, expect, inTerminal, speakMcp, test, testOfCli } from './test.ts'

const NOTES = 'dsh-plugin-harbor-notes'
const KITE = 'lanternworks/dsh-plugin-paper-kite'

test('installs and removes a plugin as a program does', { tag: '@0.1.2' }, async ({ cli, home }) => {
  const before = await profileHash(home)
  const check = await cli.json(['check', NOTES])
  expect(check).toMatchObject({
    code: 0,
    document: { data: { profile: 'web', digest: expect.stringMatching(/^\w{64}$/) } },
  })
  // Its package was read, in the worker of the built program.
  expect(check.document.data.reviews).toMatchObject([
    { inspection: { before: null, code: { state: 'read', unread: [] } } },
  ])
  const asked = await cli.json(['install', NOTES])
  expect(asked).toMatchObject({ code: 4, document: { error: { code: 'consent-needed' } } })
  expect(asked.document.data.digest).toBe(check.document.data.digest)
  expect(await cli.json(['install', NOTES, '--accept', '0'.repeat(64)])).toMatchObject({
    code: 4,
    document: { error: { code: 'consent-changed' } },
  })
  expect(await profileHash(home)).toBe(before)

  const events: string[] = []
  const installed = await cli.json(['install', NOTES, '--accept', asked.document.data.digest, '--events'])
  expect(installed.document).toMatchObject({
    ok: true,
    data: { jobs: [{ outcome: { kind: 'registered', trial: { harnessStarted: true } } }], skipped: [] },
  })
  for (const line of installed.stderr.trim().split('\n')) events.push(JSON.parse(line).stage)
  expect(events).toEqual(expect.arrayContaining(['preparing', 'trying', 'starting', 'installing', 'checking']))
  expect(await boots(home)).toBe(true)
  const [plugin] = (await cli.json(['list'])).document.data.plugins
  expect(plugin).toMatchObject({ package: NOTES, id: `lanternworks/${NOTES}`, loaded: true, managed: true })
  const disabled = await cli.json(['disable', NOTES])
  expect(disabled.document.data.jobs).toMatchObject([{ action: 'disable', outcome: { kind: 'disabled' } }])
  expect((await cli.json(['list'])).document.data.plugins).toMatchObject([{ loaded: false, state: 'off' }])
  const enabled = await cli.json(['enable', NOTES])
  expect(enabled.document.data.jobs).toMatchObject([{ action: 'enable', outcome: { kind: 'enabled' } }])
  const mcp = speakMcp(cli)
  expect(await mcp.tool('plugmark_installed', { profile: 'web' })).toMatchObject({
    ok: true,
    plugins: [{ package: NOTES, id: plugin.id, loaded: true, removable: true }],
  })
  const checked = await mcp.tool('plugmark_check', { id: NOTES, action: 'remove' })
  expect(checked).toMatchObject({ ok: true, profile: 'web', action: 'remove' })
  expect(checked.run).toMatch(/plugmark.* remove .*--profile web/)
  expect(checked).toMatchObject({ installed: true, from: plugin.version })
  // No install check stands beside a removal.
  expect(checked.checkMeans).toBeUndefined()
  const again = await mcp.tool('plugmark_check', { id: NOTES })
  expect(again).toMatchObject({ ok: true, installed: true, next: expect.stringContaining('installed already') })
  expect(again.run).toBeUndefined()
  expect(JSON.stringify(checked)).not.toContain('dsh plugin')
  // Refuses as `plugmark install` does.
  expect(await mcp.tool('plugmark_check', { id: 'dsh-plugin-dry-well' })).toMatchObject({
    ok: false,
    code: 'refused-verdict',
    message: expect.stringContaining('The directory ran the plugin’s install command'),
  })
  expect(await mcp.end()).toBe(0)
  const removed = await cli.agree(['remove', NOTES])
  expect(removed.document.data.jobs).toMatchObject([{ outcome: { kind: 'removed' } }])
  expect(await cli.json(['remove', NOTES])).toMatchObject({ code: 3, document: { error: { code: 'not-installed' } } })
})

testOfCli('updates a plugin that has a newer version, and undoes that', async ({ cli, home }) => {
  const registry = await startRegistry()
  await home.setRegistry(registry.url)
  await addByHand(home, NOTES)
  const [plugin] = (await cli.json(['list'])).document.data.plugins
  const newer = '9.0.0'

  expect((await cli.json(['update', '--all'])).document).toMatchObject({ ok: true, data: { jobs: [] } })
  registry.publish(await packVersion(NOTES, { version: newer }))
  expect((await cli.json(['outdated'])).document.data.plugins).toMatchObject([{ latest: newer }])
  expect((await cli.json(['diff', NOTES])).document.data).toMatchObject({
    before: plugin.version,
    after: newer,
    files: { state: 'read', changed: [{ path: 'package.json', role: 'scripts' }] },
  })
  expect((await cli.json(['hold', NOTES, '--reason', 'not yet'])).document.data).toMatchObject({ held: true })
  expect((await cli.json(['update', '--all'])).document.data).toMatchObject({
    jobs: [],
    skipped: [{ id: NOTES, reason: 'held', message: expect.stringContaining('not yet') }],
  })
  expect((await cli.json(['unhold', NOTES])).document.data).toMatchObject({ held: false })
  const updated = await cli.agree(['update', '--all'])
  expect(updated.document.data.jobs).toMatchObject([{ outcome: { kind: 'updated' } }])
  const undone = await cli.json(['undo'])
  expect(undone.document).toMatchObject({
    ok: true,
    data: { change: { action: 'update' }, job: { outcome: { kind: 'reverted' } } },
  })
  expect((await cli.json(['list'])).document.data.plugins).toMatchObject([{ version: plugin.version }])

  expect(await cli.json(['undo'])).toMatchObject({ code: 1, document: { error: { code: 'nothing-to-undo' } } })
  expect((await cli.json(['list'])).document.data.plugins).toMatchObject([{ version: plugin.version }])
  expect((await cli.json(['redo'])).document.data).toMatchObject({ job: { outcome: { kind: 'redone' } } })
  const named = `lanternworks/${NOTES}@${plugin.version}`
  const older = await cli.agree(['install', named])
  expect(older.document.data.jobs).toHaveLength(1)
  expect((await cli.json(['list'])).document.data.plugins).toMatchObject([{ version: plugin.version }])
  expect((await cli.json(['install', named])).document.data.skipped).toMatchObject([
    { reason: 'installed', message: expect.stringMatching(/installed already\. \S+ is available: plugmark update/) },
  ])
  // Make the snapshot unreadable.
  await rm(join(home.home, 'profiles', home.profile, '.plugmark/undo/package.json'))
  expect(await cli.json(['undo'])).toMatchObject({ code: 1, document: { error: { code: 'profile-changed' } } })
  await registry.close()
})

testOfCli('tells what is known against a plugin, and never installs malware', async ({ cli, home }) => {
  const registry = await startRegistry()
  await home.setRegistry(registry.url)
  registry.advise(NOTES, [])
  const checked = await cli.json(['check', NOTES])
  expect(checked.document.data.reviews).toMatchObject([
    { inspection: { advisories: { asked: 1, unknown: [], found: [] } } },
  ])
  await cli.agree(['install', NOTES])

  const [{ version }] = (await cli.json(['list'])).document.data.plugins
  registry.advise(NOTES, [{ title: 'Leaks tokens', severity: 'high', vulnerable_versions: `<=${version}` }])
  registry.publish(await packVersion(NOTES, { version: '9.0.0' }))
  const audited = await cli.json(['audit'])
  expect(audited).toMatchObject({ code: 1, document: { error: { code: 'advisories' } } })
  expect(audited.document.error.next).toContain(`update ${NOTES}`)
  const found = { path: [`${NOTES}@${version}`], isMalware: false, without: '9.0.0' }
  expect(audited.document.data.audit.found).toMatchObject([found])

  registry.advise(NOTES, [{ title: 'Steals tokens', cwe: ['CWE-506'], vulnerable_versions: '*' }])
  const before = await profileHash(home)
  // Nobody is asked to agree to what is refused.
  for (const which of [[NOTES], [NOTES, '--accept', '0'.repeat(64)], ['--all']])
    expect(await cli.json(['update', ...which])).toMatchObject({ code: 5, document: { error: { code: 'malware' } } })
  expect(await profileHash(home)).toBe(before)
  const examined = await cli.json(['doctor'])
  expect(examined).toMatchObject({ code: 1, document: { error: { code: 'unhealthy' } } })
  expect(examined.document.data.findings).toMatchObject([{ kind: 'malware', severity: 'error' }])
  expect(examined.document.error.next).toContain(`remove ${NOTES}`)
  expect((await cli.agree(['remove', NOTES])).document.data.jobs).toMatchObject([{ outcome: { kind: 'removed' } }])
  await registry.close()
})

for (const pnpm of [10, 11, 12] as const)
  testOfCli.describe(`with pnpm ${pnpm}`, { tag: '@only-0.2' }, () => {
    testOfCli.use({ pnpm })

    testOfCli('leaves the update of a repository that was taken over to the user', async ({ cli, home }) => {
      await addByHand(home, `github:${KITE}`)
      const codeHost = await startRegistry()
      const to = await codeHost.takeOver(KITE)
      const env = { GIT_CONFIG_GLOBAL: codeHost.gitConfig }
      const before = await profileHash(home)
      const all = await cli.json(['update', '--all'], { env })
      const aside = { id: 'dsh-plugin-paper-kite', reason: 'past' }
      expect(all).toMatchObject({ code: 1, document: { data: { jobs: [], skipped: [aside] } } })
      expect(await profileHash(home)).toBe(before)
      const { document } = await cli.json(['update', KITE], { env })
      const [{ past, cautions }] = document.data.reviews
      expect(past.breaks).toMatchObject([{ kind: 'history' }])
      expect(past.after).toBe(to)
      expect(cautions).toContain('past')
      // A user who agrees gets it.
      const { data } = (await cli.json(['update', KITE, '--accept', document.data.digest], { env })).document
      expect(data.jobs).toMatchObject([{ outcome: { kind: 'updated' } }])
      await codeHost.close()
    })
  })

testOfCli('leaves updates that gain something, or could not be read, to the user', async ({ cli, home, registry }) => {
  const own = await startRegistry()
  await home.setRegistry(own.url)
  await addByHand(home, NOTES, `github:${KITE}`)
  await registry.commit(KITE)
  own.publish(await packVersion(NOTES, { version: '9.0.0', dependencies: { 'dsh-plugin-tide-clock': '*' } }))
  const updated = await cli.agree(['update', '--all'])
  expect(updated.document).toMatchObject({ ok: true, data: { jobs: [{ ids: [KITE], outcome: { kind: 'updated' } }] } })
  expect(updated.document.data.skipped).toMatchObject([{ id: NOTES, reason: 'gains' }])
  const [{ message }] = updated.document.data.skipped
  expect(message).toMatch(/^New compared with \S+: One new package comes with it, not read: dsh-plugin-tide-clock \*\./)
  expect(message).toContain(`plugmark update ${NOTES} --profile web`)

  // Its bytes are not those that the registry describes.
  own.publish({ ...(await packVersion(NOTES, { version: '9.1.0' })), tarball: Buffer.from('another') })
  const none = await cli.json(['update', '--all'])
  expect(none).toMatchObject({
    code: 1,
    document: { error: { code: 'skipped' }, data: { jobs: [], skipped: [{ id: NOTES, reason: 'not-read' }] } },
  })
  expect(none.document.error.next).toContain(`plugmark update ${NOTES} --profile web`)
  expect((await cli.run(['update', '--all'])).stderr).toContain(`${NOTES}: Not read: its package is not the one`)
  expect(await cli.json(['update', '--all', '--include-set-aside'])).toMatchObject({
    code: 4,
    document: { data: { reviews: [{}], skipped: [] } },
  })
  await own.close()
})

testOfCli('installs several plugins as a whole, or not at all', { tag: '@matrix' }, async ({ cli, home }) => {
  const before = await profileHash(home)
  // The registry has lost the second package since the install check.
  const lost = await cli.json(['install', NOTES, 'dsh-plugin-lost-ferry'])
  expect(lost).toMatchObject({ code: 5, document: { error: { code: 'not-installable' } } })
  expect(await profileHash(home)).toBe(before)
  const both = await cli.agree(['install', NOTES, KITE])
  expect(both.document.data.jobs).toMatchObject([
    { ids: [`lanternworks/${NOTES}`, KITE], outcome: { kind: 'registered', parts: [{}, {}] } },
  ])
  expect((await cli.json(['list'])).document.data.plugins).toHaveLength(2)
})

testOfCli(
  'makes a profile as a lock says, with one review, one job and one undo',
  {
    tag: '@matrix',
  },
  async ({ cli, home, registry }) => {
    const at = (name: string) => readFile(join(home.home, 'profiles', home.profile, name), 'utf8')
    const write = (name: string, text: string) => writeFile(join(home.home, 'profiles', home.profile, name), text)
    const workspace = await at('pnpm-workspace.yaml').catch(() => '')
    await mkdir(join(home.home, 'profiles', home.profile, 'patches'))
    const patch =
      'diff --git a/PATCHED b/PATCHED\nnew file mode 100644\n--- /dev/null\n+++ b/PATCHED\n@@ -0,0 +1 @@\n+yes\n'
    await write('patches/notes.patch', patch)
    await write('pnpm-workspace.yaml', `${workspace}\npatchedDependencies:\n  ${NOTES}: patches/notes.patch\n`)
    expect(await cli.agree(['install', NOTES, KITE])).toMatchObject({ code: 0 })
    expect(await cli.json(['hold', NOTES, '--reason', 'It works.'])).toMatchObject({ code: 0 })
    const file = join(home.home, 'team.lock.json')
    expect(await cli.json(['lock', file])).toMatchObject({ code: 0 })
    const bytes = await readFile(file, 'utf8')
    const lock = JSON.parse(bytes)
    const [notes, kite] = [NOTES, 'dsh-plugin-paper-kite'].map((name) =>
      lock.plugins.find((one: { name: string }) => one.name === name),
    )
    expect([notes, kite]).toMatchObject([
      { integrity: expect.stringMatching(/^sha512-/), held: { reason: 'It works.' } },
      { commit: expect.stringMatching(/^[0-9a-f]{40}$/), off: false },
    ])
    expect(bytes).not.toContain(home.home)
    expect(await cli.json(['lock', '--check', file])).toMatchObject({ code: 0, document: { data: { drift: [] } } })

    // The repository goes on, and the profile loses both.
    await registry.commit(KITE)
    expect(await cli.json(['unhold', NOTES])).toMatchObject({ code: 0 })
    await write('pnpm-workspace.yaml', workspace)
    expect(await cli.agree(['remove', NOTES, KITE])).toMatchObject({ code: 0 })
    await rm(join(home.home, 'profiles', home.profile, 'patches'), { recursive: true })
    const before = await profileHash(home)
    const drifted = await cli.json(['lock', '--check', file])
    expect(drifted).toMatchObject({ code: 8, document: { error: { code: 'drifted' } } })
    const missing = drifted.document.data.drift.filter(({ kind }: { kind: string }) => kind === 'missing')
    expect(missing).toHaveLength(2)

    const synced = await cli.agree(['sync', file])
    const { reviews, jobs, left, made } = synced.document.data
    expect(made.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(['setting', 'patch']))
    expect(await at(`node_modules/${NOTES}/PATCHED`)).toBe('yes\n')
    expect(reviews.map(({ command }: { command: string }) => command.split(' ').at(-1))).toEqual([
      `${NOTES}@${notes.version}`,
      `github:${KITE}#${kite.commit}`,
    ])
    expect(jobs).toMatchObject([{ action: 'sync', outcome: { kind: 'synced', trial: { harnessStarted: true } } }])
    expect(left).toEqual([])
    // The lock of the package manager came with it, and the branch still has updates.
    expect(JSON.parse(await at('package.json')).dependencies).toMatchObject({ [kite.name]: kite.spec })
    expect((await at('pnpm-lock.yaml')).split('\n')).toEqual(lock.packages)
    expect((await cli.json(['outdated'])).document.data.plugins).toMatchObject([{ package: kite.name }])
    expect((await cli.json(['list'])).document.data.plugins).toMatchObject([
      { package: NOTES, version: notes.version, held: { reason: 'It works.' } },
      { package: 'dsh-plugin-paper-kite', held: null },
    ])
    expect(await cli.json(['lock', '--check', file])).toMatchObject({ code: 0, document: { data: { drift: [] } } })
    expect((await cli.json(['sync', file])).document.data).toMatchObject({ reviews: [], jobs: [], left: [] })

    expect(await cli.json(['undo'])).toMatchObject({ code: 0 })
    expect(await profileHash(home)).toBe(before)

    // Exactly its bytes; then what is on and off, and the order, without a review.
    expect((await cli.agree(['sync', file, '--frozen'])).document.data.jobs).toMatchObject([
      { outcome: { kind: 'synced' } },
    ])
    expect((await at('pnpm-lock.yaml')).split('\n')).toEqual(lock.packages)
    await cli.json(['disable', NOTES])
    const turned = await cli.agree(['sync', file])
    expect(turned.document.data).toMatchObject({
      reviews: [],
      made: [{ kind: 'off', name: NOTES, wanted: 'on', found: 'off' }],
      jobs: [{ action: 'sync', outcome: { kind: 'synced' } }],
      left: [],
    })
    await cli.json(['disable', NOTES])
    await cli.json(['enable', NOTES])
    const ordered = await cli.agree(['sync', file])
    expect(ordered.document.data).toMatchObject({ reviews: [], made: [{ kind: 'order' }], left: [] })
    expect(await home.bundles()).toEqual(lock.layers)
    // A lock that has other bytes than it says is not installed as a whole.
    const forged = lock.packages.map((line: string) => line.replace(/integrity: \S+}/, 'integrity: sha512-AAAA}'))
    await writeFile(file, JSON.stringify({ ...lock, packages: forged }))
    expect(await cli.json(['sync', file, '--frozen'])).toMatchObject({
      code: 5,
      document: { error: { code: 'not-frozen' } },
    })
    // pnpm refuses a patch that nothing uses.
    await write('pnpm-workspace.yaml', workspace)
    expect(await cli.agree(['remove', NOTES, KITE])).toMatchObject({ code: 0 })

    // One that is gone does not keep the others away, and is named.
    const gone = { ...notes, name: 'dsh-plugin-elsewhere', held: null }
    await writeFile(file, JSON.stringify({ ...lock, plugins: [notes, gone] }))
    const partly = await cli.agree(['sync', file])
    expect(partly).toMatchObject({ code: 1, document: { error: { code: 'skipped' } } })
    expect(partly.document.data.unread).toMatchObject([
      { at: 'dsh-plugin-elsewhere', why: 'not-there' },
      { at: 'packages', why: 'other-lock' },
    ])
    expect((await cli.json(['list'])).document.data.plugins).toMatchObject([
      { package: NOTES, held: { reason: 'It works.' } },
    ])

    // --exact removes what the file has not.
    const { patchedDependencies: _, ...settings } = lock.settings
    await writeFile(file, JSON.stringify({ ...lock, plugins: [], packages: null, settings, patches: {} }))
    expect((await cli.json(['sync', file])).document.data).toMatchObject({ reviews: [], left: [{ kind: 'extra' }] })
    expect(await cli.agree(['sync', file, '--exact'])).toMatchObject({ code: 0 })
    expect((await cli.json(['list'])).document.data.plugins).toEqual([])
  },
)

testOfCli(
  'gives the same file with another harness and package manager, there and back',
  { tag: ['@matrix', '@only-0.2'] },
  async ({ cli, home, registry }) => {
    const other = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version: '0.1.0-rc.8' })
    const harness = join(dirname(other.home), 'harness')
    const recorded = fileURLToPath(new URL('../harness/recorded-start.ts', import.meta.url))
    await writeFile(harness, `#!/bin/sh\nexec ${process.execPath} ${recorded} ${other.version} "$@"\n`, { mode: 0o755 })
    const there = { env: { ...other.env, PLUGMARK_HARNESS: harness } }
    const [file, back] = [join(home.home, 'here.lock.json'), join(home.home, 'there.lock.json')]
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

    await cli.agree(['install', NOTES, KITE])
    await cli.json(['hold', NOTES, '--reason', 'It works.'])
    await cli.json(['disable', 'dsh-plugin-paper-kite'])
    expect(await cli.json(['lock', file])).toMatchObject({ code: 0 })
    const synced = (await cli.agree(['sync', file], there)).document.data
    expect(synced).toMatchObject({ jobs: [{ outcome: { kind: 'synced' } }], left: [{ kind: 'harness' }] })
    expect(await cli.json(['lock', back], there)).toMatchObject({ code: 0 })
    const own = { harness: other.version, packageManager: expect.stringMatching(/^pnpm@10\./) }
    expect(await read(back)).toEqual({ ...(await read(file)), ...own })

    const bytes = await readFile(file, 'utf8')
    await cli.agree(['remove', NOTES, 'dsh-plugin-paper-kite'])
    await cli.agree(['sync', back, '--frozen'])
    expect(await cli.json(['lock', file])).toMatchObject({ code: 0 })
    expect(await readFile(file, 'utf8')).toBe(bytes)
    await other.dispose()
  },
)

test('tries plugins, never in the background, and says by exit codes what passed', {
  tag: '@only-0.1',
}, async ({ cli, home, registry }) => {
  const results = async (code: number, ...args: string[]) => {
    const ran = await cli.json(args)
    expect(ran, ran.stdout).toMatchObject({ code })
    return ran.document.data
  }
  // Not in the profile, which a try does not read.
  await results(0, 'config', 'registry', registry.url)
  expect((await results(0, 'try', NOTES, '--run')).result).toMatchObject({ verdict: 'passed', runs: true })
  expect((await results(1, 'try', 'dsh-plugin-dry-well', '--run')).result).toMatchObject({
    verdict: 'not-a-layer',
    runs: null,
  })
  expect(await inTerminal(cli, ['try', NOTES, '--run'], { inBackground: true })).toContain('in the foreground')
  expect(await home.bundles()).not.toContain(NOTES)

  await addByHand(home, 'dsh-plugin-old-lighthouse')
  expect((await results(0, 'upgrade-check', '0.1.9')).plugins).toMatchObject([{ runs: 'yes' }])
  expect((await results(5, 'upgrade-check', '0.2.1')).plugins).toMatchObject([{ runs: 'no' }])
})

test('finds the problems of a profile, and repairs only those', { tag: '@only-0.1' }, async ({ cli, home }) => {
  expect(await cli.json(['doctor'])).toMatchObject({
    code: 0,
    document: { data: { start: { state: 'starts' }, harness: { version: home.version }, findings: [] } },
  })
  const before = await profileHash(home)
  const file = join(home.home, 'profiles', home.profile, 'package.json')
  const sound = await readFile(file, 'utf8')
  const manifest = JSON.parse(sound)
  manifest.dsh.profile.bundles.push('dsh-plugin-not-there')
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
  const shown = await cli.run(['doctor'])
  expect(shown.stderr.match(/does not start/g)).toHaveLength(1)
  expect(shown.stderr).not.toContain('undefined')
  const broken = await cli.json(['doctor'])
  expect(broken.document.data.findings).toContainEqual(
    expect.objectContaining({ kind: 'layer-not-installed', subjects: ['dsh-plugin-not-there'], repairable: true }),
  )
  const unsound = await profileHash(home)
  expect((await cli.json(['doctor', '--fix', '--dry-run'])).document.data).toMatchObject({ repair: null })
  expect(await profileHash(home)).toBe(unsound)
  expect(await cli.json(['doctor', '--fix', '--events'], at('starting', 'SIGINT'))).toMatchObject({
    code: 130,
    document: { error: { code: 'cancelled' }, data: { repair: { outcome: { kind: 'cancelled' } } } },
  })
  const fixed = await cli.json(['doctor', '--fix'])
  expect(fixed).toMatchObject({
    code: 0,
    document: { data: { repair: { outcome: { kind: 'repaired' } }, findings: [] } },
  })
  expect(await profileHash(home)).toBe(before)
  expect(await boots(home)).toBe(true)
})
