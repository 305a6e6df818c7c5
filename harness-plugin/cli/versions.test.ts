import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { aHome } from '../host/testing.ts'
import { harnessForTests, placePlugins, runsForTests } from './testing.ts'

const { json } = runsForTests()
const its = harnessForTests()
let { folder, registry, env } = its
beforeEach(() => {
  ;({ folder, registry, env } = its)
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

test('installs again what the profile loads and whose files are missing', async () => {
  const home = await aHome()
  try {
    await placePlugins(home.directory, { good: '1.0.0' })
    await rm(join(home.directory, 'node_modules/good'), { recursive: true })
    registry.serve({ good: { '1.0.0': { engines: { dsh: '^0.2.0-0' } } } })
    const given = { env: { ...env, DSH_HOME: home.home } }
    const { document } = await json(['install', 'a/good', '--profile', 'web'], given)
    expect(document).toMatchObject({ error: { code: 'consent-needed' }, data: { skipped: [] } })
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
    // Also before anybody looked for updates.
    const shown = await json(['show', 'a/good', '--profile', 'web'], given)
    expect(shown.document.data.installed).toMatchObject({ version: '1.0.0', latest: '2.0.0' })
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
