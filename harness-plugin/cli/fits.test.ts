import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RegistryForTests, startRegistryForTests } from '../host/registry/testing.ts'
import { aHome, aRecord, directoryOf, hashTree } from '../host/testing.ts'
import { placePlugins, runsForTests } from './testing.ts'

const { json, start } = runsForTests()
let folder: string
let registry: RegistryForTests
let env: Record<string, string>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-fits-'))
  const program = join(folder, 'dsh')
  await writeFile(program, '#!/bin/sh\necho 0.2.1-rc.2', { mode: 0o755 })
  await writeFile(join(folder, 'pnpm'), '#!/bin/sh\necho 11.28.11', { mode: 0o755 })
  registry = await startRegistryForTests({
    good: { '1.0.0': { engines: { dsh: '^0.2.0-0' } } },
    one: { '1.0.0': { engines: { dsh: '^0.1.0' } } },
    two: { '1.0.0': {} },
  })
  await writeFile(join(folder, '.npmrc'), `registry=${registry.url}\n`)
  env = { PLUGMARK_HARNESS: program, HOME: folder, PATH: `${folder}:${process.env.PATH}` }
})
afterEach(async () => {
  await registry.close()
  await rm(folder, { recursive: true })
})

const found = async (...args: string[]) => {
  const { code, document, stderr } = await json(['search', ...args], { env })
  expect(code).toBe(0)
  return { ids: document.data.listings.map(({ id }: { id: string }) => id).toSorted(), stderr }
}

test('filters by what is known to fit of the plugins that were looked at, and asks no server', async () => {
  expect(await found('--fits', 'yes')).toMatchObject({ ids: [], stderr: expect.stringContaining('0 of ') })
  expect(registry.requests).toEqual([])
  for (const id of ['a/good', 'b/many#one', 'b/many#two']) await json(['show', id], { env })
  const count = registry.requests.length
  expect((await found('--fits', 'yes')).ids).toEqual(['a/good'])
  expect((await found('--fits', 'no')).ids).toEqual(['b/many#one'])
  expect((await found('--fits', 'unknown')).ids).toEqual(['b/many#two'])
  expect(registry.requests).toHaveLength(count)
})

test('answers a version that never existed with those that there are', async () => {
  const home = await aHome()
  try {
    const given = { env: { ...env, DSH_HOME: home.home } }
    for (const command of ['check', 'install'])
      expect(await json([command, 'a/good@9.9.9', '--profile', 'web'], given)).toMatchObject({
        code: 3,
        document: {
          error: {
            code: 'no-such-version',
            message: 'a/good has no version 9.9.9. There are: 1.0.0.',
            next: `plugmark ${command} a/good@1.0.0 --profile web --json`,
          },
          data: { suggestions: ['a/good@1.0.0'] },
        },
      })
  } finally {
    await home.dispose()
  }
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

test('takes a version as people type it: a range, a tag, or the latest, of an id, a short name or a package', async () => {
  const home = await aHome()
  try {
    const given = { env: { ...env, DSH_HOME: home.home } }
    registry.serve({ good: { '1.0.0': {}, '1.1.0': { deprecated: 'no' }, '1.2.0-rc.1': {}, '2.0.0': {} } })
    for (const [text, version, plugin] of [
      ['a/good@^1', '1.0.0', 'good@1.0.0'],
      ['a/good@~1.0', '1.0.0', 'good@1.0.0'],
      ['a/good@1.x', '1.0.0', 'good@1.0.0'],
      ['good@^1', '1.0.0', 'good@1.0.0'],
      ['a/good@latest', null, 'good@2.0.0'],
      ['a/good@1.1.0', '1.1.0', 'good@1.1.0'],
    ] as const) {
      const { document } = await json(['check', text, '--profile', 'web'], given)
      expect([text, document.data?.reviews]).toMatchObject([
        text,
        [{ id: 'a/good', version, compatibility: { plugin } }],
      ])
    }
    expect((await json(['check', 'a/good@^3', '--profile', 'web'], given)).document.error).toMatchObject({
      code: 'no-such-version',
      message: expect.stringContaining('a/good has no version ^3. There are: 2.0.0'),
    })
  } finally {
    await home.dispose()
  }
})

test('tries the command of the listing that a repository means, and refuses one that is not listed', async () => {
  // Stands in for a harness that cannot add the plugin.
  const program = '#!/bin/sh\n[ "$1" = --version ] && echo 0.2.1-rc.2'
  await writeFile(env.PLUGMARK_HARNESS!, program, { mode: 0o755 })
  const tried = async (spec: string) => (await json(['try', spec], { env })).document
  for (const id of ['a/good', 'A/Good', 'https://github.com/a/good', 'good']) {
    const { data } = await tried(id)
    expect([id, data.results[0].command]).toEqual([id, expect.stringMatching(/ add good$/)])
  }
  expect((await tried('a/good@1.0.0')).data.results[0].command).toMatch(/ add good@1\.0\.0$/)
  expect(await tried('b/many')).toMatchObject({ error: { code: 'ambiguous' } })
  expect(await tried('x/unlisted')).toMatchObject({
    error: { code: 'unknown-listing', next: 'plugmark try github:x/unlisted --json' },
  })

  const { run, written } = start(['try', 'a/good'], { env: { ...env, PLUGMARK_REGISTRY: 'http://127.0.0.1:9' } })
  expect(await run.finish()).toBe(1)
  expect(written.stderr).toContain('Could not connect')
  expect(written.stderr).toContain('Next: Check the network and the address of the registry, then try again.')
  expect(written.stderr).not.toMatch(/author|Does not install/)
})

test('does not blame the author where the registry does not have the package', async () => {
  const program = `#!/bin/sh
[ "$1" = --version ] && echo 0.2.1-rc.2 && exit
mkdir -p "$DSH_HOME/profiles/web"
echo '{}' >"$DSH_HOME/profiles/web/package.json"
case "$*" in *' add '*) echo ' ERR_PNPM_FETCH_404  GET http://127.0.0.1:1/gone: Not Found - 404'; exit 1; esac`
  await writeFile(env.PLUGMARK_HARNESS!, program, { mode: 0o755 })
  const { code, document } = await json(['try', 'gone'], { env })
  expect(code).toBe(3)
  expect(document.error).toMatchObject({
    code: 'unknown-source',
    message: `gone is not in ${registry.url}/.`,
    next: 'plugmark config registry --json',
  })
  const { run, written } = start(['try', 'gone'], { env })
  expect(await run.finish()).toBe(3)
  expect(written.stdout + written.stderr).not.toMatch(/author|Does not install/)

  await writeFile(env.PLUGMARK_HARNESS!, program.replace(/ ERR_.*404/, 'ERROR: Repository not found.'))
  const missing = await json(['try', 'github:nobody/none'], { env })
  expect(missing).toMatchObject({ code: 3, document: { error: { code: 'unknown-source' } } })
  expect(missing.document.error.message).toMatch(/does not have the repository “github:nobody\/none”/)
})

test('says of one harness what fails in it, with the message of a stack and not its end', async () => {
  const stack = Array.from({ length: 6 }, (_, n) => `    at run${n} (file.js:1:1)`).join('\n')
  const program = `#!/bin/sh
[ "$1" = --version ] && echo 0.2.1-rc.2 && exit
echo 'Error: The anchor is fouled.
${stack}' >&2; exit 1`
  await writeFile(env.PLUGMARK_HARNESS!, program, { mode: 0o755 })
  const { run, written } = start(['try', 'good'], { env })
  expect(await run.finish()).toBe(1)
  const all = written.stdout + written.stderr
  expect(all).toContain('It does not install in this harness.')
  expect(all).toContain('The anchor is fouled.')
  expect(all).not.toMatch(/at run\d|every harness/)
})

test('says until when pnpm waits with every release that a range means', async () => {
  const home = await aHome()
  try {
    const given = { env: { ...env, DSH_HOME: home.home } }
    const settings = JSON.stringify({ userAgent: 'pnpm/11.28.11 npm/?', minimumReleaseAge: 1440 })
    await writeFile(join(folder, 'pnpm'), `#!/bin/sh\necho '${settings}'`, { mode: 0o755 })
    const time = { '1.0.0': '2020-01-01T00:00:00.000Z', '2.0.0': new Date().toISOString() }
    registry.serve({
      good: { file: { name: 'good', 'dist-tags': { latest: '2.0.0' }, versions: { '1.0.0': {}, '2.0.0': {} }, time } },
    })
    const { document } = await json(['check', 'a/good@^2', '--profile', 'web'], given)
    expect(document).toMatchObject({
      error: {
        code: 'no-such-version',
        message: expect.stringMatching(
          /^a\/good@2\.0\.0: pnpm waits with it until .+ \(minimumReleaseAge\)\. It installs 1\.0\.0\.$/,
        ),
      },
      data: { suggestions: ['a/good@1.0.0'] },
    })
  } finally {
    await home.dispose()
  }
})

test('takes no version from a registry that does not answer', async () => {
  const home = await aHome()
  try {
    await registry.close()
    const given = { env: { ...env, DSH_HOME: home.home } }
    const { document } = await json(['check', 'a/good@^1', '--profile', 'web'], given)
    expect(document.error).toMatchObject({ code: 'source-unreachable' })
  } finally {
    await home.dispose()
  }
})

test('sets aside an update that does not continue what is installed, with the reason and the command', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0' })
    const given = { env: { ...env, DSH_HOME: home.home } }
    const signed = { dist: { signatures: [{ keyid: 'a', sig: 'b' }] } }
    registry.serve({ good: { '1.0.0': signed, '2.0.0': {} } })
    const { document } = await json(['update', '--all', '--dry-run', '--profile', 'web'], given)
    expect(document.data.skipped).toMatchObject([
      { id: 'good', reason: 'past', message: expect.stringContaining('It has no signature of 2.0.0.') },
    ])
    expect(document.data.skipped[0].message).toContain('plugmark update good --profile web')
    // By itself it is reviewed, with the caution.
    const alone = await json(['update', 'good', '--dry-run', '--profile', 'web'], given)
    expect(alone.document.data.reviews).toMatchObject([
      { id: 'a/good', cautions: expect.arrayContaining(['past']), past: { breaks: [{ kind: 'signature' }] } },
    ])
  } finally {
    await home.dispose()
  }
})

test('names once in a dry run what it would skip', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, {})
    const given = { env: { ...env, DSH_HOME: home.home } }
    const { run, written } = start(['install', 'a/good', 'a/failed', '--each', '--dry-run', '--profile', 'web'], given)
    expect(await run.finish()).toBe(0)
    expect(written.stdout.match(/^a\/failed: .*$/gm)).toHaveLength(1)
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

test('updates nothing and asks nobody where there is nothing newer, and says so', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0' })
    const before = await hashTree(home.directory, ['.plugmark'])
    const given = { env: { ...env, DSH_HOME: home.home } }
    for (const more of [[], ['--dry-run'], ['--each'], ['--accept', '0'.repeat(64)]])
      expect(await json(['update', 'good', '--profile', 'web', ...more], given), more.join(' ')).toMatchObject({
        code: 0,
        document: {
          data: {
            reviews: [],
            jobs: [],
            skipped: [{ id: 'good', reason: 'installed', message: 'It is at its newest version, 1.0.0.' }],
          },
        },
      })
    const { run, written } = start(['update', 'good', '--profile', 'web'], given)
    expect([await run.finish(), written.stderr]).toEqual([0, ''])
    expect(written.stdout).toContain('newest version')
    expect(await hashTree(home.directory, ['.plugmark'])).toBe(before)
    // What is newer is not known then.
    registry.serve({})
    expect((await json(['update', 'good', '--profile', 'web'], given)).code).not.toBe(0)
  } finally {
    await home.dispose()
  }
})

test('reads all of a review again where a code is of another one, as a person has to read it', async () => {
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

test('checks the plugins for newer versions once, however many are named', async () => {
  const home = await aHome()
  try {
    const names = ['good', 'one', 'two']
    await placePlugins(home.directory, Object.fromEntries(names.map((name) => [name, '^1.0.0'])))
    registry.serve(Object.fromEntries(names.map((name) => [name, { '1.0.0': { engines: { dsh: '^0.2.0-0' } } }])))
    const count = async (...named: string[]) => {
      const before = registry.requests.length
      const { document } = await json(['update', ...named, '--profile', 'web'], {
        env: { ...env, DSH_HOME: home.home },
      })
      expect(document.data.skipped.map(({ id }: { id: string }) => id)).toEqual(named)
      return registry.requests.slice(before).filter(({ path }) => path === 'good').length
    }
    const once = await count('good')
    // A second check of all would ask for it again.
    expect(await count('good', 'one', 'two')).toBeLessThanOrEqual(once)
  } finally {
    await home.dispose()
  }
})

test('says of a plugin whose source does not answer that its updates are unknown, and not that there are none', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0', two: '^1.0.0' })
    registry.serve({ good: { '1.0.0': {} } })
    const given = { env: { ...env, DSH_HOME: home.home } }
    const sentence = 'Its package, or the branch of its repository, no longer exists, so there are no updates.'
    expect((await json(['list', '--outdated', '--profile', 'web'], given)).document.data.plugins).toMatchObject([
      { package: 'two', latest: null, updateProblem: 'not-found' },
    ])
    expect(await json(['update', '--all', '--profile', 'web'], given)).toMatchObject({
      code: 0,
      document: { data: { jobs: [], skipped: [{ id: 'two', reason: 'not-found', message: sentence }] } },
    })
    const { run, written } = start(['update', '--all', '--profile', 'web'], given)
    expect([await run.finish(), written.stdout]).toEqual([0, `two\tnot-found\t${sentence}\n`])
    expect(written.stderr).toBe('Nothing to update: 2 plugins of profile web looked at, 1 left out.\n')
    const outdated = start(['outdated', '--profile', 'web'], given)
    expect(await outdated.run.finish()).toBe(0)
    expect(outdated.written.stdout).toMatch(new RegExp(`^two\t1\\.0\\.0\t\t.*\tunknown\t${sentence}\n$`))
  } finally {
    await home.dispose()
  }
})

test.each([
  ['en_GB', 'Nothing to update: 1 plugin of profile web looked at.'],
  ['zh_CN', '没有可更新的插件：检查了配置档 web 中的 1 个插件。'],
])('says in one line how many plugins an update of all looked at, and which it does not: %s', async (LANG, line) => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0' })
    registry.serve({ good: { '1.0.0': {} } })
    const given = { env: { ...env, DSH_HOME: home.home, LANG } }
    for (const more of [[], ['--dry-run']]) {
      const { run, written } = start(['update', '--all', '--profile', 'web', ...more], given)
      expect([await run.finish(), written]).toEqual([0, { stdout: '', stderr: `${line}\n` }])
    }
    // The directory lists the second, which comes from elsewhere.
    await placePlugins(home.directory, { good: '^1.0.0', two: 'link:../two', stranger: '^1.0.0' })
    const { document } = await json(['update', '--all', '--profile', 'web'], given)
    expect(document.data).toMatchObject({
      jobs: [],
      skipped: [],
      checked: { count: 1, unmanaged: ['stranger', 'two'] },
    })
    const { run, written } = start(['update', '--all', '--profile', 'web'], given)
    await run.finish()
    expect(written.stderr).toMatch(
      /as not installed from the directory: stranger, two\.|并非从插件目录安装.*：stranger、two。/,
    )
  } finally {
    await home.dispose()
  }
})

test('ends an update of all with 1 where something could not be read, names it, and updates nothing unseen', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0', two: '^1.0.0' })
    registry.serve({ good: { '1.0.0': {} }, two: { body: '{}', status: 400 } })
    const given = { env: { ...env, DSH_HOME: home.home } }
    const { code, document } = await json(['update', '--all', '--profile', 'web'], given)
    expect(document).toMatchObject({
      error: { code: 'skipped', message: 'Nothing updated. Could not be read, so left as it is: two.' },
      data: { jobs: [], skipped: [{ id: 'two', reason: 'not-read' }] },
    })
    expect(code).toBe(1)
    const { run, written } = start(['update', '--all', '--profile', 'web'], given)
    expect([await run.finish(), written.stderr]).toEqual([1, expect.stringContaining('left as it is: two')])
  } finally {
    await home.dispose()
  }
})

test('says what to do when no registry answers', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0' })
    const given = { env: { ...env, DSH_HOME: home.home, PLUGMARK_REGISTRY: 'http://127.0.0.1:9' } }
    const network = 'Check the network and the address of the registry, then try again.'
    for (const command of [
      ['outdated', '--profile', 'web'],
      ['check', 'some-package@1.0.0', '--profile', 'web'],
    ])
      expect((await json(command, given)).document.error).toMatchObject({ retryable: true, next: network })
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
        error: { code: 'unknown-profile', next: 'plugmark list --profile web --json' },
        data: { suggestions: ['web'] },
      },
    })
    expect((await json(['show', 'a/good'], given)).document.data).toMatchObject({ profile: 'web' })
  } finally {
    await home.dispose()
  }
})

test('leaves out of an update of all what is disabled, as the screen does, and says so', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0' })
    const file = join(home.directory, 'package.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...manifest, dsh: { profile: { bundles: [] } } }))
    registry.serve({ good: { '1.0.0': {}, '2.0.0': {} } })
    const given = { env: { ...env, DSH_HOME: home.home } }
    expect(await json(['update', '--all', '--profile', 'web'], given)).toMatchObject({
      code: 0,
      document: {
        data: {
          reviews: [],
          skipped: [{ id: 'good', reason: 'off', message: expect.stringContaining('plugmark enable good') }],
        },
      },
    })
  } finally {
    await home.dispose()
  }
})

test('names what is there and what is newer of a plugin that is pinned at an older version', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '1.0.0' })
    const fits = { engines: { dsh: '^0.2.0-0' } }
    registry.serve({ good: { '1.0.0': fits, '2.0.0': fits } })
    const given = { env: { ...env, DSH_HOME: home.home } }
    expect(await json(['install', 'a/good', '--profile', 'web'], given)).toMatchObject({
      code: 0,
      document: {
        data: {
          skipped: [
            {
              message: '1.0.0 is installed already. 2.0.0 is available: plugmark update good --profile web --json',
            },
          ],
        },
      },
    })
    expect(await json(['update', 'good', '--profile', 'web'], given)).toMatchObject({
      code: 4,
      document: {
        error: { code: 'consent-needed' },
        data: { reviews: [{ installed: '1.0.0', compatibility: { plugin: 'good@2.0.0' } }], skipped: [] },
      },
    })
  } finally {
    await home.dispose()
  }
})

test('shows the newest version, and what the profile has; says how to use a plugin that is installed and off', async () => {
  const home = await aHome()
  try {
    const given = { env: { ...env, DSH_HOME: home.home, PLUGMARK_HARNESS: '' } }
    const show = async () => (await json(['show', 'a/good', '--profile', 'web'], given)).document.data
    expect(await show()).toMatchObject({ release: { version: '1.0.0', weeklyDownloads: null }, installed: null })
    const manifest = { dependencies: { good: '^1.0.0' }, dsh: { profile: { bundles: [] } } }
    await writeFile(join(home.directory, 'package.json'), JSON.stringify(manifest))
    await mkdir(join(home.directory, 'node_modules/good'), { recursive: true })
    await writeFile(
      join(home.directory, 'node_modules/good/package.json'),
      '{"name":"good","version":"1.0.0","dsh":{"bundle":{"patch":"patch.yml"}}}',
    )
    expect((await show()).installed).toMatchObject({ package: 'good', version: '1.0.0', loaded: false, state: 'off' })
    expect((await json(['install', 'a/good', '--profile', 'web'], given)).document.data).toMatchObject({
      reviews: [],
      jobs: [],
      skipped: [
        { reason: 'installed', message: expect.stringMatching(/off\. .*: plugmark enable good --profile web/) },
      ],
    })
  } finally {
    await home.dispose()
  }
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
    expect(written.stdout).toContain('The directory does not list exactly this, so nobody has checked it.')
    expect(written.stdout).not.toContain('None in the directory')
    expect((await json(['show', 'gone', '--unlisted', '--profile', 'web'], given)).document.error.code).toBe(
      'unknown-source',
    )
  } finally {
    await home.dispose()
  }
})

test('tries a plugin once under each harness that was named', async () => {
  const program = env.PLUGMARK_HARNESS ?? ''
  const { document } = await json(['try', 'good', '--harness', program, '--harness', program], { env })
  expect(document.data.results.map((result: { program: string }) => result.program)).toEqual([program, program])
})
