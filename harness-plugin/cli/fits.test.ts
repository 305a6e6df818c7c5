import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { aHome, aRecord, directoryOf } from '../host/testing.ts'
import { harnessForTests, placePlugins, runsForTests } from './testing.ts'

const { json, start } = runsForTests()
const its = harnessForTests()
let { folder, registry, env } = its
beforeEach(() => {
  ;({ folder, registry, env } = its)
})

const found = async (...args: string[]) => {
  const { code, document, stderr } = await json(['search', ...args], { env })
  expect(code).toBe(0)
  return { ids: document.data.listings.map(({ id }: { id: string }) => id).toSorted(), stderr }
}

test('filters by what is known to fit of the plugins that were looked at, and asks no server', async () => {
  expect(await found('fits:yes')).toMatchObject({ ids: [], stderr: expect.stringContaining('0 of ') })
  expect(registry.requests).toEqual([])
  for (const id of ['a/good', 'b/many#one', 'b/many#two']) await json(['show', id], { env })
  const count = registry.requests.length
  expect((await found('fits:yes')).ids).toEqual(['a/good'])
  expect((await found('fits:no')).ids).toEqual(['b/many#one'])
  expect((await found('fits:unknown')).ids).toEqual(['b/many#two'])
  expect(registry.requests).toHaveLength(count)
})

test('binds the digest of a review to the build scripts that run because they were allowed before', async () => {
  const home = await aHome()
  try {
    const given = { env: { ...env, DSH_HOME: home.home } }
    const settings = join(home.directory, 'pnpm-workspace.yaml')
    const fetch = directoryOf([aRecord('a/good', { installCheck: 'needs-approval', blockedBuilds: ['good'] })]).fetch
    const scripts = { postinstall: 'node build.js' }
    registry.serve({ good: { '1.0.0': { engines: { dsh: '^0.2.0-0' }, scripts } } })
    const reviewed = async () =>
      (await json(['check', 'a/good', '--profile', 'web'], { ...given, fetch })).document.data
    const before = await reviewed()
    expect(before.reviews[0]).toMatchObject({ allowedBuilds: [], blockedBuilds: ['good'] })
    await writeFile(settings, 'allowBuilds:\n  good@1.0.0: true\n')
    const after = await reviewed()
    expect(after.reviews[0]).toMatchObject({ allowedBuilds: ['good@1.0.0'], blockedBuilds: [], builds: [] })
    expect(after.digest).not.toBe(before.digest)
    const accepted = ['install', 'a/good', '--profile', 'web', '--accept', before.digest]
    expect(await json(accepted, { ...given, fetch })).toMatchObject({
      code: 4,
      document: { error: { code: 'consent-changed' } },
    })
  } finally {
    await home.dispose()
  }
})

test.each([
  ['en', 'This version of Plugmark was not tested with harness 0.2.2.'],
  ['zh', '此版本的 Plugmark 未在 Harness 0.2.2 上测试过。'],
])('says in a review and in what doctor finds that a harness was not tested (%s)', async (language, sentence) => {
  const home = await aHome()
  const program = join(folder, 'dsh')
  const untested = join(folder, 'newer')
  await writeFile(untested, '#!/bin/sh\necho 0.2.2', { mode: 0o755 })
  try {
    for (const command of [
      ['check', 'a/good', '--profile', 'web'],
      ['doctor', '--profile', 'web'],
    ])
      for (const [harness, isSaid] of [
        [program, false],
        [untested, true],
      ] as const) {
        const given = { ...env, PLUGMARK_HARNESS: harness, DSH_HOME: home.home, LC_ALL: language }
        const { run, written } = start(command, { env: given })
        await run.finish()
        expect((written.stdout + written.stderr).includes(sentence), `${command[0]} ${harness}`).toBe(isSaid)
      }
  } finally {
    await home.dispose()
  }
})

test('reads all of a review again where a code is of another one, as the user has to read it', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0' })
    const fits = { engines: { dsh: '^0.2.0-0' } }
    registry.serve({ good: { '1.0.0': fits, '1.1.0': fits } })
    const given = { env: { ...env, DSH_HOME: home.home } }
    const other = await json(['update', 'good', '--profile', 'web', '--accept', '0'.repeat(64)], given)
    expect(other).toMatchObject({ code: 4, document: { error: { code: 'consent-changed' } } })
    const [review] = other.document.data.reviews
    expect(review.missing).toEqual([])
    expect(review.inspection.code).not.toBeNull()
    expect(other.document.data.accept).toContain(other.document.data.digest)
  } finally {
    await home.dispose()
  }
})

test('names the command that changes the others where one of several names means nothing', async () => {
  const home = await aHome()
  try {
    const given = { env: { ...env, DSH_HOME: home.home } }
    const { error } = (await json(['install', 'a/good', 'x/nonesuch', 'b/many#one'], given)).document
    expect(error).toMatchObject({
      code: 'unknown-listing',
      next: "Without x/nonesuch, the others can be changed: plugmark install a/good 'b/many#one' --profile web --json",
    })
    const near = (await json(['install', 'b/goood', 'b/many#one'], given)).document.error
    expect(near.next).toBe("plugmark install a/good 'b/many#one' --profile web --json")
    // What is listed and refused, too. A review stays one.
    for (const [named, others] of [
      ['a/failed', 'install a/good --profile web --dry-run --json'],
      ['x/nonesuch', 'install a/good --profile web --dry-run --json'],
    ] as const) {
      const { next } = (await json(['install', 'a/good', named, '--dry-run'], given)).document.error
      expect(next).toBe(`Without ${named}, the others can be changed: plugmark ${others}`)
    }
    registry.serve({ stranger: { '1.0.0': {} }, good: { '1.0.0': {} } })
    const stranger = await json(['install', 'stranger', '--dry-run'], given)
    expect(stranger.document.error.next).toBe('plugmark show stranger --unlisted --profile web --json')
    // An update goes to the newest.
    await placePlugins(home.directory, { good: '^1.0.0' })
    const pinned = await json(['update', 'good@1.0.0', '--dry-run'], given)
    expect(pinned.document.error.next).toBe('plugmark install good@1.0.0 --profile web --dry-run --json')
    const nowhere = join(home.home, 'none')
    const made = await json(['list', '--home', nowhere], given)
    expect(made.document.error.next).toBe(`env DSH_HOME=${nowhere} ${env.PLUGMARK_HARNESS} plugin --profile web list`)
  } finally {
    await home.dispose()
  }
})

test('refuses a named profile that does not exist instead of answering as if it were empty', async () => {
  const home = await aHome()
  try {
    const given = { env: { ...env, DSH_HOME: home.home } }
    expect(await json(['show', 'a/good', '--profile', 'nope'], given)).toMatchObject({
      code: 7,
      document: {
        error: {
          code: 'unknown-profile',
          message: expect.stringContaining('There are: web.'),
          next: 'plugmark list --profile web --json',
        },
      },
    })
    expect(await json(['config', 'profile', 'nope'], given)).toMatchObject({ code: 7 })
    const { error, data } = (await json(['show', 'a/good', '--profile', 'wev'], given)).document
    expect([error.next, data]).toEqual(['plugmark list --profile web --json', { suggestions: ['web'] }])
  } finally {
    await home.dispose()
  }
})

test('names the profiles and the setting that chooses one, where there are several', async () => {
  const home = await aHome()
  try {
    const given = { env: { ...env, DSH_HOME: home.home } }
    await mkdir(join(home.home, 'profiles/other'))
    await writeFile(join(home.home, 'profiles/other/package.json'), '{"dependencies":{}}')
    expect((await json(['list'], given)).document.data).toEqual({ suggestions: ['other', 'web'] })
    const { run, written } = start(['list'], given)
    await run.finish()
    expect(written.stderr).toMatch(/other, web\. .*plugmark config profile NAME\nNext: plugmark list --profile web\n/)
    // What is only shown needs none.
    expect((await json(['show', 'a/good'], given)).document.data).toMatchObject({ profile: 'web' })
  } finally {
    await home.dispose()
  }
})

test('shows the known problems of a plugin before an install, and says where they were not looked up', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const given = { env: { ...env, DSH_HOME: home.home } }
  const problemsOf = async () => {
    const shown = start(['show', 'a/good', '--profile', 'web'], given)
    await shown.run.finish()
    return shown.written.stdout.split('\n').filter((line) => line.startsWith('problems\t'))
  }
  const leak = { title: 'Leaks tokens', severity: 'high', url: 'https://a.dev/1', vulnerable_versions: '<2', cwe: [] }
  registry.serve({ good: { '1.0.0': {} }, '-/npm/v1/security/advisories/bulk': { file: { good: [leak] } } })
  expect(await problemsOf()).toContainEqual(expect.stringMatching(/“Leaks tokens” \(high\)/))
  const without = { env: { ...given.env, DSH_HOME: join(home.home, 'none') } }
  expect((await json(['show', 'a/good'], without)).document.data.advisories).toBeNull()
})

test('asks the registry about a plugin while the directory is down, and says what was not reached', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const directory = directoryOf([aRecord('a/failed', { installCheck: 'failed' })])
  const given = { fetch: directory.fetch, env: { ...env, DSH_HOME: home.home } }
  await json(['search'], given)
  directory.fail(true)
  registry.serve({ failed: { '1.0.0': { engines: { dsh: '^0.2.0-0' } } } })
  const { document, stderr } = await json(['show', 'a/failed', '--profile', 'web'], given)
  expect(document.data).toMatchObject({
    release: { version: '1.0.0' },
    releaseProblem: null,
    fit: { plugin: 'failed@1.0.0' },
  })
  expect(document.directory.state).toBe('stored')
  expect(stderr).toMatch(/^The directory could not be read\. Using the stored index, read .*\.$/m)
})

test('shows a package that the directory does not list, and says so', async () => {
  const home = await aHome()
  try {
    registry.serve({ stranger: { '3.0.0': { engines: { dsh: '^0.2.0-0' }, license: 'ISC' } } })
    const given = { env: { ...env, DSH_HOME: home.home } }
    expect((await json(['show', 'stranger'], given)).document.error.code).toBe('unknown-listing')
    expect((await json(['show', 'stranger', '--unlisted', '--profile', 'web'], given)).document.data).toMatchObject({
      id: 'stranger',
      listed: false,
      package: 'stranger',
      license: 'ISC',
      verdict: null,
      command: 'dsh plugin --profile web add stranger',
      release: { version: '3.0.0' },
      fit: { state: 'declared-to-fit', plugin: 'stranger@3.0.0' },
    })
    const { run, written } = start(['show', 'stranger', '--unlisted', '--profile', 'web'], given)
    await run.finish()
    expect(written.stdout).toContain('The directory does not list this source, so nobody has checked it.')
    expect(written.stdout).not.toContain('None in the directory')
    expect((await json(['show', 'gone', '--unlisted', '--profile', 'web'], given)).document.error.code).toBe(
      'unknown-source',
    )
  } finally {
    await home.dispose()
  }
})

test('names an update before a repair makes it, and leaves one of which nothing can be looked up, with its command', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { one: '^1.0.0' })
    const manifest = {
      name: 'one',
      version: '1.0.0',
      engines: { dsh: '^0.1.0' },
      dsh: { bundle: { patch: 'patch.yml' } },
    }
    await writeFile(join(home.directory, 'node_modules/one/package.json'), JSON.stringify(manifest))
    const given = { env: { ...env, DSH_HOME: home.home } }
    const one = { '1.0.0': { engines: { dsh: '^0.1.0' } }, '2.0.0': { engines: { dsh: '^0.2.0-0' } } }
    registry.serve({ one })
    const { document } = await json(['doctor', '--profile', 'web'], given)
    const { steps, left, leftUpdates } = document.data ?? document.error.data
    expect([steps, left]).toEqual([[], ['one']])
    expect(leftUpdates).toEqual([
      {
        package: 'one',
        version: '2.0.0',
        why: 'unknown',
        sentence: expect.stringContaining('could not be looked up'),
        next: 'plugmark update one --profile web --json',
      },
    ])
    // Of what is known to have no newer version, an update is no step.
    const firstStep = async () => (await json(['list', '--profile', 'web'], given)).document.data.plugins[0].next[0]
    expect(await firstStep()).toContain('plugmark update one')
    registry.serve({ one: { '1.0.0': one['1.0.0'] } })
    await json(['outdated', '--profile', 'web'], given)
    expect(await firstStep()).toContain('plugmark disable one')
    registry.serve({ one, '-/npm/v1/security/advisories/bulk': { file: {} } })
    const { stderr } = await json(['doctor', '--fix', '--profile', 'web'], given)
    expect(stderr).toContain('Install one 2.0.0, which declares to fit harness 0.2.1-rc.2')
  } finally {
    await home.dispose()
  }
})
