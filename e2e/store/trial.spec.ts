import { appendFile, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { JobAction, OutcomeKind, StoreHost } from '@plugmark/harness-plugin/host'
import { addByHand, dsh, type Home, profileHash } from '../harness/home.ts'
import { isLive } from '../harness/versions.ts'
import { packVersion } from '../registry/packages.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import { startRegistry } from '../registry/registry.ts'
import { findChromium } from '../setup/chromium.mjs'
import { aHost, ended, endOf, expect, idOf, perform, performAll, start, test } from './host.ts'
import { layers } from './test.ts'

interface Broken {
  readonly kind: OutcomeKind
  /** Words of the reason. */
  readonly words: RegExp
}

/** Plugins that are broken in one way each. Unit tests judge recordings of all, which `npm run test:recordings` makes. */
const BROKEN_ON_OLD: Readonly<Record<string, Broken>> = {
  'dsh-plugin-bad-load': { kind: 'stops-harness', words: /the keel is cracked in \S+\/\.plugmark\/[^/]+\/tmp\/keel-/ },
  'dsh-plugin-bad-replace': { kind: 'breaks-others', words: /^timer$/ },
}
const BROKEN_TODAY: Readonly<Record<string, Broken>> = {
  'dsh-plugin-bad-load': {
    kind: 'does-not-start',
    words: /failed to import: .*the keel is cracked in \S+\/\.plugmark\/[^/]+\/tmp\/keel-/,
  },
  'dsh-plugin-bad-late': { kind: 'stops-harness', words: /the mast came down later/ },
  'dsh-plugin-bad-yaml': { kind: 'rejected', words: /failed to parse overlay/ },
}
/** Reasons why a row does not start although the harness continues without it. */
const NOT_STARTING: Readonly<Record<string, RegExp>> = {
  'dsh-plugin-bad-import': /a-package-nobody-installed/,
  'dsh-plugin-bad-service': /waiting for service: lighthouse/,
}
const BROKEN = [BROKEN_ON_OLD, BROKEN_TODAY, NOT_STARTING].flatMap((broken) => Object.keys(broken))

/** Patch of an installed package. */
const PATCH = `diff --git a/index.js b/index.js
--- a/index.js
+++ b/index.js
@@ -1,3 +1,4 @@
 export const name = 'tide-table'
 
+// Fixed.
 export function apply() {}
`

test.use({ directory: { catalogue: credulousDirectory([...BROKEN, 'dsh-plugin-bad-name']) } })

for (const [harness, tag, broken] of [
  ['a harness that ends when a row does not run', '@only-0.1', BROKEN_ON_OLD],
  ['a harness that goes on without the row', '@only-0.2', BROKEN_TODAY],
] as const) {
  test.describe(harness, { tag }, () => {
    for (const [name, { kind, words }] of Object.entries(broken)) {
      const others = name === 'dsh-plugin-bad-load' ? {} : { tag: '@matrix' }
      test(`${name} is detected, and the profile is unchanged`, others, async ({ host, home }) => {
        const before = await profileHash(home)
        const temporary = await readdir(home.env.TMPDIR!)
        const { outcome } = await perform(host, name)
        expect(outcome).toMatchObject({ kind, rollback: 'complete', trial: null })
        expect(await readdir(home.env.TMPDIR!), 'a trial has a temporary folder of its own').toEqual(temporary)
        // A plugin that the harness itself refuses cannot be in a profile.
        expect(outcome.removeCommand).toBe(kind === 'rejected' ? null : `dsh plugin --profile web remove ${name}`)
        expect(outcome.subjects.join('\n')).toMatch(words)
        expect(await profileHash(home)).toBe(before)
        expect(await layers(home)).toEqual([])
        expect(await readdir(home.home)).not.toContain('.plugmark')
      })
    }
  })
}

test('each of several plugins that do not start is named', { tag: ['@only-0.2', '@matrix'] }, async ({
  host,
  home,
}) => {
  const outcome = await performAll(host, ...Object.keys(NOT_STARTING))
  expect(outcome).toMatchObject({ kind: 'does-not-start', rollback: 'complete' })
  for (const words of Object.values(NOT_STARTING)) expect(outcome.subjects).toContainEqual(expect.stringMatching(words))
  expect(await layers(home)).toEqual([])
})

test('a good plugin is tried, then installed, and the trial leaves no files', { tag: '@matrix' }, async ({
  host,
  home,
}) => {
  const stages: (string | null)[] = []
  host.subscribe((event) => {
    if (event.type === 'job' && event.job.stage !== stages.at(-1)) stages.push(event.job.stage)
  })
  const { outcome } = await perform(host, 'dsh-plugin-harbor-notes')
  expect(outcome).toMatchObject({
    kind: 'registered',
    trial: { harnessStarted: true, pageLoaded: null },
    adds: { commands: ['harbor-note'], tools: [] },
    activation: isLive(home.version) ? 'restart-unless-applied' : 'restart',
  })
  expect(stages).toEqual([null, 'preparing', 'trying', 'starting', 'installing', 'checking', null])
  expect(await readdir(home.home)).not.toContain('.plugmark')
})

test.describe('without an open page', () => {
  const [SYNTAX, REQUIRE] = ['dsh-plugin-bad-client-syntax', 'dsh-plugin-bad-client-require']
  const GOOD = 'dsh-plugin-tide-table'
  test.use({ directory: { catalogue: credulousDirectory([SYNTAX, REQUIRE, GOOD]) } })

  test('a page part that does not parse is refused, and the doctor names one in the profile', async ({
    host,
    home,
  }) => {
    const before = await profileHash(home)
    const { outcome } = await perform(host, SYNTAX)
    expect(outcome).toMatchObject({ kind: 'breaks-screen', rollback: 'complete' })
    expect(outcome.subjects.join()).toMatch(/client\.js:1: SyntaxError: /)
    expect(await profileHash(home)).toBe(before)
    await addByHand(home, SYNTAX)
    const { findings } = await host.doctor({ profile: 'web', start: false })
    expect(findings).toMatchObject([{ kind: 'page-part-broken', severity: 'error' }])
  })

  test('a browser of this machine tries the page, which refuses a page part that breaks it', {
    tag: '@only-0.2',
  }, async ({ api, home }) => {
    const host = aHost(home, { baseUrl: api.url }, { browser: findChromium() })
    try {
      const { outcome } = await perform(host, REQUIRE)
      expect(outcome).toMatchObject({ kind: 'breaks-screen', rollback: 'complete' })
      expect(outcome.subjects.join()).toMatch(/a-module-no-page-has/)
    } finally {
      await host.close()
    }
  })

  test('a browser of this machine tries a good page, and shows the doctor a broken one', { tag: '@only-0.1' }, async ({
    api,
    home,
  }) => {
    const host = aHost(home, { baseUrl: api.url }, { browser: findChromium() })
    try {
      // The first has no part of the page.
      for (const [name, pageLoaded] of [
        ['dsh-plugin-harbor-notes', null],
        [GOOD, true],
      ] as const)
        expect((await perform(host, name)).outcome).toMatchObject({
          kind: 'registered',
          trial: { harnessStarted: true, pageLoaded },
        })
      await addByHand(home, REQUIRE)
      const { findings } = await host.doctor({ profile: 'web' })
      expect(findings).toMatchObject([{ subjects: [REQUIRE], repairable: true, state: { kind: 'breaks-page' } }])
      const repaired = await host.repair({ profile: 'web' })
      expect(await endOf(host, repaired)).toMatchObject({ kind: 'repaired', subjects: [REQUIRE] })
      expect((await host.doctor({ profile: 'web' })).start.state).toBe('starts')
    } finally {
      await host.close()
    }
  })
})

test('a conflict that appears only when both plugins start is not found, because the other stays disabled; a removal solves it', {
  tag: '@only-0.1',
}, async ({ host, home }) => {
  await addByHand(home, 'dsh-plugin-harbor-notes')
  expect((await perform(host, 'dsh-plugin-bad-name')).outcome.kind).toBe('registered')
  expect((await perform(host, 'dsh-plugin-bad-name', 'remove')).outcome.kind).toBe('removed')
  expect(await layers(home)).toEqual(['dsh-plugin-harbor-notes'])
})

test('a plugin that stops the harness is not blamed on one that comes after it, and can be removed', {
  tag: '@only-0.1',
}, async ({ host, home }) => {
  await addByHand(home, 'dsh-plugin-harbor-notes', 'dsh-plugin-bad-late')
  expect((await perform(host, 'dsh-plugin-paper-kite')).outcome.kind).toBe('registered')
  const before = await profileHash(home)
  // The result does not show if this plugin would run with the others.
  const { outcome } = await perform(host, 'dsh-plugin-bad-service')
  expect(outcome).toMatchObject({ kind: 'profile-broken', rollback: 'complete', removeCommand: null })
  expect(outcome.subjects.join()).toMatch(/the mast came down later/)
  expect(await profileHash(home)).toBe(before)

  const removed = await perform(host, 'dsh-plugin-bad-late', 'remove')
  expect(removed.outcome).toMatchObject({ kind: 'removed', trial: { harnessStarted: true } })
  expect((await perform(host, 'dsh-plugin-bad-service')).outcome.kind).toBe('stops-harness')
})

test.describe('other plugins of the profile', () => {
  const CLOCK = 'dsh-plugin-tide-clock'
  test.use({ directory: { catalogue: credulousDirectory([CLOCK, 'dsh-plugin-tide-bell']) } })

  /** Returns the number of starts of the clock. */
  async function starts({ env }: Home): Promise<number> {
    const text = await readFile(join(env.HOME ?? '', 'tide-clock-starts.txt'), 'utf8').catch(() => '')
    return text.split('\n').length - 1
  }
  const othersIn = async (host: StoreHost, name: string, action: JobAction) => {
    const review = await host.calls.review({ id: idOf(name), profile: 'web', action })
    return review.ok ? review.value.otherPlugins : review.code
  }

  test('other plugins of the profile are not started in a trial, be they layers or rows of a patch', {
    tag: '@only-0.1',
  }, async ({ host, home }) => {
    expect(await othersIn(host, 'dsh-plugin-harbor-notes', 'install')).toBeNull()
    await addByHand(home, CLOCK)
    const patch = join(home.home, 'profiles', home.profile, 'cordis.patch.yml')
    await writeFile(
      patch,
      JSON.stringify([{ insert: [{ id: 'second-clock', name: `${CLOCK}/index.js` }, { name: CLOCK }] }]),
    )
    expect(await othersIn(host, 'dsh-plugin-harbor-notes', 'install')).toBe('off')
    expect((await perform(host, 'dsh-plugin-harbor-notes')).outcome).toMatchObject({
      kind: 'registered',
      trial: { harnessStarted: true },
    })
    expect(await starts(home)).toBe(0)
  })

  test('other plugins of the profile are started if the new one does not come up without them', {
    tag: ['@only-0.2', '@matrix'],
  }, async ({ host, home }) => {
    await addByHand(home, CLOCK)
    expect((await perform(host, 'dsh-plugin-tide-bell')).outcome).toMatchObject({
      kind: 'registered',
      trial: { harnessStarted: true },
    })
    expect(await starts(home)).toBe(1)
  })

  test('other plugins of the profile are started to check that they run without a removed one', {
    tag: '@matrix',
  }, async ({ host, home }) => {
    await addByHand(home, CLOCK, 'dsh-plugin-tide-bell')
    expect(await othersIn(host, CLOCK, 'remove')).toBe('started')
    const isOld = home.version.startsWith('0.1.')
    const { outcome } = await perform(host, CLOCK, 'remove')
    expect(outcome).toMatchObject({ kind: isOld ? 'stops-harness' : 'breaks-others', rollback: 'complete' })
    expect(outcome.subjects.join()).toMatch(/waiting for service: tideClock/)
  })
})

test.describe('a profile without a web page', () => {
  /** Creates a profile with the registry of the existing one. */
  async function makeProfile(home: Home, profile: string) {
    await dsh(home, 'plugin', '--profile', profile, 'list')
    const directory = (name: string) => join(home.home, 'profiles', name, '.npmrc')
    await copyFile(directory(home.profile), directory(profile))
  }

  test('a profile without a web page is started too, and a plugin that stops it is detected', {
    tag: '@matrix',
  }, async ({ host, home }) => {
    await makeProfile(home, 'mine')
    const add = (name: string) => perform(host, name, 'install', 'mine')
    expect((await add('dsh-plugin-harbor-notes')).outcome).toMatchObject({
      kind: 'registered',
      trial: { harnessStarted: true, pageLoaded: null },
    })
    expect((await add('dsh-plugin-bad-service')).outcome).toMatchObject({
      kind: home.version.startsWith('0.1.') ? 'stops-harness' : 'does-not-start',
      rollback: 'complete',
    })
  })

  test('a profile without a web page that does not start by itself is reported, and a plugin is not refused for it', {
    tag: '@only-0.1',
  }, async ({ host, home }) => {
    await makeProfile(home, 'headless')
    const { outcome } = await perform(host, 'dsh-plugin-harbor-notes', 'install', 'headless')
    expect(outcome).toMatchObject({ kind: 'registered', trial: { harnessStarted: false, pageLoaded: null } })
  })
})

test('a profile with hooks, patches, rows and packages of its own is copied with them', { tag: '@only-0.1' }, async ({
  host,
  home,
}) => {
  await addByHand(home, 'dsh-plugin-tide-table')
  const profile = join(home.home, 'profiles', home.profile)
  const place = async (file: string, text: string) => {
    await mkdir(dirname(join(profile, file)), { recursive: true })
    await writeFile(join(profile, file), text)
  }
  await place('.pnpmfile.cjs', "module.exports = require('./hooks/hooks.cjs')")
  await place('hooks/hooks.cjs', 'exports.hooks = { readPackage: (manifest) => manifest }')
  await place('patches/tide-table.patch', PATCH)
  await place('mine/package.json', '{"name":"mine","version":"1.0.0","type":"module","exports":"./index.js"}')
  await place('mine/index.js', 'export const words = "of my own package"')
  await place(
    'rows/mine.mjs',
    "import { words } from 'mine'\nimport '../lib/lib.mjs'\nexport const apply = () => void words.trim()",
  )
  await place('lib/lib.mjs', '')
  await appendFile(
    join(profile, 'pnpm-workspace.yaml'),
    '\npatchedDependencies:\n  dsh-plugin-tide-table: patches/tide-table.patch\n',
  )
  await writeFile(
    join(profile, 'cordis.patch.yml'),
    JSON.stringify([{ insert: [{ id: 'mine', name: './rows/mine.mjs' }] }]),
  )
  const manifest = JSON.parse(await readFile(join(profile, 'package.json'), 'utf8'))
  manifest.dependencies.mine = 'link:./mine'
  await place('package.json', JSON.stringify(manifest))
  await dsh(home, 'plugin', '--profile', home.profile, 'install')
  expect(await readFile(join(profile, 'node_modules/dsh-plugin-tide-table/index.js'), 'utf8')).toContain('// Fixed.')

  expect((await perform(host, 'dsh-plugin-harbor-notes')).outcome).toMatchObject({
    kind: 'registered',
    trial: { harnessStarted: true },
  })
  // The trial also starts the profile without the plugin, to find out if the plugin is to blame.
  expect((await perform(host, 'dsh-plugin-bad-late')).outcome).toMatchObject({
    kind: 'stops-harness',
    rollback: 'complete',
  })
})

// pnpm 12 installs from what it read for the trial.
test('exactly the tried packages are installed, or none', { tag: '@only-0.1' }, async ({ host, home }) => {
  const registry = await startRegistry()
  try {
    await home.setRegistry(registry.url)
    const newer = await packVersion('dsh-plugin-harbor-notes', { version: '1.3.0' })
    const before = await profileHash(home)
    host.subscribe((event) => {
      if (event.type === 'job' && event.job.stage === 'starting') registry.publish(newer)
    })
    const { outcome } = await perform(host, 'dsh-plugin-harbor-notes')
    expect(outcome).toMatchObject({
      kind: 'source-changed',
      subjects: ['dsh-plugin-harbor-notes@1.2.0', 'dsh-plugin-harbor-notes@1.3.0'],
      rollback: 'complete',
    })
    expect(await profileHash(home)).toBe(before)
  } finally {
    await registry.close()
  }
})

test('a profile that another program changes meanwhile is left as it is', { tag: '@only-0.1' }, async ({
  host,
  home,
}) => {
  const patch = join(home.home, 'profiles', home.profile, 'cordis.patch.yml')
  const changed = `${await readFile(patch, 'utf8')}\n# by hand\n`
  const job = await start(host, 'dsh-plugin-harbor-notes')
  const { promise, resolve } = Promise.withResolvers<void>()
  host.subscribe((event) => event.type === 'job' && event.job.stage === 'trying' && resolve())
  await promise
  await writeFile(patch, changed)
  expect((await ended(host, job)).outcome.kind).toBe('profile-changed')
  expect(await readFile(patch, 'utf8')).toBe(changed)
  expect(await layers(home)).toEqual([])
})
