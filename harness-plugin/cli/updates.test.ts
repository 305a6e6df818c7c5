import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { aHome, directoryOf, hashTree } from '../host/testing.ts'
import { NO_DIRECTORY } from './session.ts'
import { harnessForTests, placePlugins, records, runsForTests } from './testing.ts'
import { render } from './text/render.ts'

const { json, start } = runsForTests()
const its = harnessForTests()
let { registry, env } = its
beforeEach(() => {
  ;({ registry, env } = its)
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

test('updates nothing and asks nobody where there is nothing newer, and says so', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0' })
    const before = await hashTree(home.directory, ['.plugmark'])
    const given = { env: { ...env, DSH_HOME: home.home } }
    for (const more of [[], ['--dry-run'], ['--accept', '0'.repeat(64)]])
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

test('says in check and show of an installed plugin what is so, and names its update', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0' })
    const given = { env: { ...env, DSH_HOME: home.home } }
    const written = async (...argv: Parameters<typeof json>[0]) => {
      const { document } = await json([...argv, '--profile', 'web'], given)
      const stdout = { isTTY: true, columns: 80 }
      const options = { env: {}, stdout, stderr: {}, locale: 'en', color: 'never', directory: NO_DIRECTORY } as const
      return render(document.command, document.data, options).text
    }
    const checked = await written('check', 'a/good')
    expect(checked).toContain('1.0.0 is installed already.')
    expect(checked).not.toContain('installs exactly this')
    expect(await written('show', 'a/good')).not.toMatch(/plugmark update/)
    registry.serve({ good: { '1.0.0': {}, '2.0.0': {} } })
    expect(await written('outdated')).toContain('2.0.0')
    const shown = await written('show', 'a/good')
    expect(shown).toContain('plugmark update good --profile web')
    expect(shown).not.toMatch(/dsh plugin/)
  } finally {
    await home.dispose()
  }
})

test('offers no install in show of a plugin that its registry does not have, and says what does not have it', async () => {
  const home = await aHome()
  try {
    registry.serve({})
    const { document } = await json(['show', 'a/good', '--profile', 'web'], { env: { ...env, DSH_HOME: home.home } })
    expect(document.data).toMatchObject({ releaseProblem: 'not-found' })
    const stdout = { isTTY: true, columns: 80 }
    const options = { env: {}, stdout, stderr: {}, locale: 'en', color: 'never', directory: NO_DIRECTORY } as const
    const shown = render('show', document.data, options).text
    expect(shown).toMatch(/The package registry(?: or the code host)? does not have it\./)
    expect(shown).not.toMatch(/plugmark install|dsh plugin .*add good/)
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
    expect((await json(['outdated', '--profile', 'web'], given)).document.data.plugins).toMatchObject([
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
      error: { code: 'skipped', message: 'Nothing changed. Left unchanged: two.' },
      data: { jobs: [], skipped: [{ id: 'two', reason: 'not-read' }] },
    })
    expect(code).toBe(1)
    const { run, written } = start(['update', '--all', '--profile', 'web'], given)
    expect([await run.finish(), written.stderr]).toEqual([1, expect.stringContaining('Left unchanged: two.')])
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
      ['update', '--all', '--profile', 'web'],
      ['check', 'some-package@1.0.0', '--profile', 'web'],
    ])
      expect((await json(command, given)).document.error).toMatchObject({ retryable: true, next: network })
    const { run, written } = start(['outdated', '--profile', 'web'], { env: { ...given.env, LANG: 'zh_CN.UTF-8' } })
    expect(await run.finish()).toBe(6)
    expect(written.stderr).toContain('此配置档的软件包仓库是 http://127.0.0.1:9')
    const all = await json(['update', '--all', '--profile', 'web'], given)
    expect([all.code, all.document.error.message]).toEqual([6, expect.stringContaining('http://127.0.0.1:9')])
    const { data } = (await json(['show', 'two', '--profile', 'web'], given)).document
    expect(data).toMatchObject({ release: null, releaseProblem: 'unreachable' })
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

test('keeps the reason of a hold until another one, or an empty one, is given', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { one: '^1.0.0' })
    const given = { env: { ...env, DSH_HOME: home.home } }
    const hold = async (...options: string[]) =>
      (await json(['hold', 'one', '--profile', 'web', ...options], given)).document.data.reason
    expect(await hold('--reason', 'It works.')).toBe('It works.')
    expect(await hold()).toBe('It works.')
    expect(await hold('--reason', '')).toBeNull()
  } finally {
    await home.dispose()
  }
})

test('updates the others where one update of all is refused, and says before it asks what stays and why', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '^1.0.0', one: '^1.0.0', two: '^1.0.0' })
    const malware = { title: 'Steals tokens', severity: 'high', url: '', vulnerable_versions: '>=2', cwe: ['CWE-506'] }
    const versions = { '1.0.0': {}, '2.0.0': {} }
    const advisories = { '-/npm/v1/security/advisories/bulk': { file: { two: [malware] } } }
    registry.serve({ good: versions, one: versions, two: versions, ...advisories })
    const given = { env: { ...env, DSH_HOME: home.home } }
    await json(['hold', 'one', '--reason', 'It works.', '--profile', 'web'], given)
    const { run, written } = start(['update', '--all', '--include-set-aside', '--profile', 'web'], given)
    expect(await run.finish()).toBe(4)
    expect(written.stderr).toContain('Update a/good')
    expect(written.stderr).toContain(
      [
        'Left unchanged:',
        'one: It is held (It works.). To update it again: plugmark unhold one --profile web',
        'two: malware. ',
      ].join('\n'),
    )
    expect(written.stderr).toMatch(/plugmark update good --profile web --accept/)
  } finally {
    await home.dispose()
  }
})

test('names malware as the reason where it is the only update, also if a registry does not answer for another', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { one: '^1.0.0', two: '^1.0.0' })
    const malware = { title: 'Steals tokens', severity: 'high', url: '', vulnerable_versions: '>=2', cwe: ['CWE-506'] }
    const versions = { '1.0.0': {}, '2.0.0': {} }
    const advisories = { '-/npm/v1/security/advisories/bulk': { file: { two: [malware] } } }
    registry.serve({ one: { body: '{}', status: 500 }, two: versions, ...advisories })
    const given = { env: { ...env, DSH_HOME: home.home } }
    const all = ['update', '--all', '--profile', 'web']
    expect(await json(all, given)).toMatchObject({ code: 5, document: { error: { code: 'malware' } } })
    // Without an update, what did not answer is left, and nothing was set aside.
    registry.serve({ one: { body: '{}', status: 500 }, two: { '1.0.0': {} } })
    const { document } = await json(all, given)
    expect(document.error).toMatchObject({ code: 'skipped', message: expect.stringMatching(/\bone\b/) })
  } finally {
    await home.dispose()
  }
})

test('says that a build script was blocked although the directory answers no second review', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, {})
    const ran = join(home.home, 'ran')
    const program = join(home.home, 'dsh')
    const blocks = `#!/bin/sh\ncase "$*" in *add*) touch ${ran}; echo ERR_PNPM_IGNORED_BUILDS; exit 1;; esac\necho 0.2.1-rc.2`
    await writeFile(program, blocks, { mode: 0o755 })
    const answers = directoryOf(records).fetch
    const fetch = ((...input) =>
      existsSync(ran) ? Promise.reject(new Error('gone')) : answers(...input)) as typeof answers
    const given = { fetch, env: { ...env, DSH_HOME: home.home, PLUGMARK_HARNESS: program } }
    const install = ['install', 'good', '--profile', 'web']
    const { digest } = (await json(install, given)).document.data
    expect(await json([...install, '--accept', digest], given)).toMatchObject({
      code: 4,
      document: { error: { code: 'build-blocked' }, data: { jobs: [{}] } },
    })
  } finally {
    await home.dispose()
  }
})
