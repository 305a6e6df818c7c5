import { describe, expect, test } from 'vitest'
import type { ProfileState } from '../profile/state.ts'
import { type FinishedChange, readOutcome } from './outcome.ts'

function state(
  change: {
    layers?: string[]
    dependencies?: Record<string, string>
    versions?: Record<string, string>
    unbuilt?: string[]
    mark?: string
  } = {},
) {
  const { layers = [], dependencies = {}, versions = {}, unbuilt = [], mark = 'a' } = change
  return {
    manifest: { layers: ['base', ...layers], dependencies },
    versions: new Map(Object.entries(versions)),
    commits: new Map<string, string>(),
    unbuilt,
    files: new Map([
      ['package.json', mark],
      ['pnpm-lock.yaml', mark],
    ]),
  } satisfies ProfileState
}
const npm = { kind: 'npm', name: 'some-plugin' } as const
const github = { kind: 'github', owner: 'Owner', repo: 'Some-Plugin' } as const
const exited = (code: number) => ({ kind: 'exited', code }) as const
const outcome = (finished: Partial<FinishedChange>) =>
  readOutcome({
    action: 'install',
    spec: npm,
    before: state(),
    after: state(),
    end: exited(1),
    output: [],
    ...finished,
  })

const layer = state({ layers: ['some-plugin'], dependencies: { 'some-plugin': '^1.0.0' }, mark: 'b' })

describe('a profile after an install', () => {
  test('a profile after an install with a new layer counts as registered with any exit code', () => {
    expect(outcome({ after: layer, end: exited(0) }).kind).toBe('registered')
    expect(outcome({ after: layer, end: exited(1) }).kind).toBe('registered')
    expect(outcome({ after: layer }).profile?.changed).toEqual(['package.json', 'pnpm-lock.yaml'])
  })

  test('a profile after an install with a layer from before does not prove the success of a failed run', () => {
    const again = outcome({ before: layer, after: layer, end: exited(1) })
    expect(again.kind).toBe('failed')
    expect(again.profile).toEqual({ registered: true, registeredBefore: true, dependency: true, changed: [] })
    expect(outcome({ before: layer, after: layer, end: exited(0) }).kind).toBe('registered')
  })

  test('a profile after an install without a new layer counts as a failure even if the output claims success', () => {
    expect(outcome({ end: exited(0), output: ['+ some-plugin ^1.0.0', 'Done in 1s'] }).kind).toBe('failed')
  })

  test('a profile after an install with a dependency without a layer has no plugin', () => {
    const after = state({ dependencies: { 'some-plugin': '^1.0.0' } })
    expect(outcome({ after, end: exited(0) }).kind).toBe('not-a-layer')
  })

  test('a profile after an install with a registered layer reports its blocked build', () => {
    const after = state({
      layers: ['some-plugin'],
      dependencies: { 'some-plugin': '^1.0.0' },
      unbuilt: ['old@1', 'some-plugin@1.0.0'],
    })
    const blocked = outcome({ before: state({ unbuilt: ['old@1'] }), after, end: exited(0) })
    expect(blocked).toMatchObject({
      kind: 'build-blocked',
      subjects: ['some-plugin@1.0.0'],
      profile: { registered: true },
    })
  })

  test.each([
    'github:owner/some-plugin',
    'git+https://github.com/Owner/Some-Plugin.git',
    'git+ssh://git@github.com/owner/some-plugin.git#abc',
    'https://codeload.github.com/owner/some-plugin/tar.gz/abc',
  ])('has a repository under the dependency that names it: %s', (source) => {
    const after = state({ layers: ['named-otherwise'], dependencies: { 'named-otherwise': source } })
    expect(outcome({ spec: github, after, end: exited(0) }).kind).toBe('registered')
  })

  test('does not match a plugin from another folder of the same repository', () => {
    const other = { a: 'github:owner/some-plugin#path:packages/a' }
    const before = state({ layers: ['a'], dependencies: other })
    const after = state({ layers: ['a', 'r'], dependencies: { ...other, r: 'github:owner/some-plugin' }, mark: 'b' })
    expect(outcome({ spec: github, before, after, end: exited(0) })).toMatchObject({
      kind: 'registered',
      profile: { registered: true, registeredBefore: false },
    })
  })

  test('does not match a package of the same name from elsewhere', () => {
    const after = state({ layers: ['some-plugin'], dependencies: { 'some-plugin': '^1.0.0' } })
    expect(outcome({ spec: github, after, end: exited(0) }).profile?.registered).toBe(false)
  })

  test('a profile after an install is reported as missing when it is gone', () => {
    expect(outcome({ after: null }).kind).toBe('profile-missing')
  })
})

describe('an update', () => {
  const update = (finished: Partial<FinishedChange>) =>
    outcome({ action: 'update', before: layer, end: exited(0), ...finished })
  const versions = { 'some-plugin': '1.0.0' }
  const newer = { ...layer, versions: new Map([['some-plugin', '2.0.0']]) }

  test('an update is reported when the lockfile shows it', () => {
    const before = { ...layer, versions: new Map(Object.entries(versions)) }
    const files = new Map([...layer.files, ['pnpm-lock.yaml', 'c']])
    expect(update({ before, after: { ...newer, files } })).toMatchObject({
      kind: 'updated',
      subjects: ['1.0.0', '2.0.0'],
      activation: 'restart',
    })
    expect(update({ before, after: before })).toMatchObject({ kind: 'nothing-to-do', activation: 'unchanged' })
  })

  test('names a release that pnpm left out because it does not trust it', () => {
    const output = [
      '[WARN] Skipped trust downgrades rejected by trustPolicy: some-plugin@2.0.0. Resolved 1.0.0 instead.',
    ]
    expect(update({ before: layer, after: layer, output })).toMatchObject({
      kind: 'failed',
      subjects: ['Skipped trust downgrades rejected by trustPolicy: some-plugin@2.0.0'],
    })
  })

  test('keeps a disabled plugin disabled', () => {
    const disabled = { ...layer, manifest: { ...layer.manifest, layers: [] } }
    const files = new Map([...layer.files, ['pnpm-lock.yaml', 'c']])
    expect(update({ before: disabled, after: { ...disabled, files } })).toMatchObject({
      kind: 'updated',
      profile: { registered: false, dependency: true },
    })
    expect(update({ before: disabled, after: disabled }).kind).toBe('nothing-to-do')
  })

  test('an update of a half-installed plugin counts as an install', () => {
    const half = { ...layer, manifest: { ...layer.manifest, layers: [] } }
    expect(update({ before: half, after: layer }).kind).toBe('registered')
  })

  test('an update is not reported as up to date when the registry could not be reached', () => {
    const output = [
      ' ERR_PNPM_META_FETCH_FAIL  GET http://127.0.0.1:1/x: failed, reason: ECONNREFUSED',
      'Already up to date',
    ]
    expect(update({ after: layer, output }).kind).toBe('unreachable')
  })
})

describe('a removal', () => {
  const remove = (finished: Partial<FinishedChange>) =>
    outcome({ action: 'remove', before: layer, end: exited(0), ...finished })

  test('a removal is reported when neither dependency nor layer is left', () => {
    expect(remove({ after: state() })).toMatchObject({ kind: 'removed', activation: 'restart' })
    expect(remove({ after: state({ layers: ['some-plugin'] }) }).kind).toBe('failed')
    expect(remove({ after: layer }).kind).toBe('failed')
  })

  test('a removal of a missing plugin has nothing to do', () => {
    const output = ["ERR_PNPM_CANNOT_REMOVE_MISSING_DEPS  Cannot remove 'some-plugin': no such dependency found"]
    expect(outcome({ action: 'remove', end: exited(1), output }).kind).toBe('nothing-to-do')
  })
})

describe('the reason of a failure', () => {
  test.each([
    ['program-missing', { end: { kind: 'not-found', code: null } }],
    ['program-missing', { end: { kind: 'not-started', code: null } }],
    ['program-missing', { output: ["error: unknown command 'plugin'"] }],
    ['failed', { output: [' ERROR  Unknown option: latest', 'dsh: pnpm failed in profile directory x'] }],
    ['disk-error', { output: ["fatal: sha1 file '.git/index.lock' write error. Out of diskspace"] }],
    ['disk-error', { output: ['[ERR_PNPM_ENOSPC] ENOSPC: no space left on device, write'] }],
    ['timed-out', { end: { kind: 'timed-out', code: null } }],
    ['cancelled', { end: { kind: 'cancelled', code: null } }],
    [
      'program-missing',
      { end: exited(127), output: ['dsh: pnpm not found on PATH — install pnpm to manage profile plugins'] },
    ],
    [
      'unreachable',
      { output: [' ERR_PNPM_META_FETCH_FAIL  GET http://127.0.0.1:9/x: request failed, reason: connect ECONNREFUSED'] },
    ],
    [
      'unreachable',
      { output: ["fatal: unable to access 'https://github.com/a/b.git/': Could not resolve host: github.com"] },
    ],
    ['not-found', { output: ['fatal: Could not read from remote repository.'] }],
    [
      'not-found',
      {
        output: [
          "Error: ENOSPC: System limit for number of file watchers reached, watch '/srv/x'",
          ' ERR_PNPM_FETCH_404  GET https://registry.example/nothing: Not Found - 404',
        ],
      },
    ],
    // A failing registry, a server that is not a registry, and a broken connection: pnpm 10.34, 11.
    ['unreachable', { output: [' ERR_PNPM_FETCH_503  GET http://127.0.0.1:1/x: Service Unavailable - 503'] }],
    ['unreachable', { output: ['[ERR_PNPM_FETCH_429] GET http://127.0.0.1:1/x: Too Many Requests - 429'] }],
    ['unreachable', { output: ['[ERR_PNPM_BROKEN_METADATA_JSON] Unexpected token \'<\', "<html>" is not valid JSON'] }],
    ['unreachable', { output: [' ECONNRESET  aborted', 'Error: aborted'] }],
    ['unreachable', { output: ['[ERROR] terminated', 'pnpm: terminated'] }],
    ['unreachable', { output: ['[ERROR] fetch failed', 'TypeError: fetch failed'] }],
    ['unreachable', { output: ['error: RPC failed; curl 18 transfer closed', 'fatal: early EOF'] }],
    // The same from pnpm 12, which breaks its lines.
    [
      'unreachable',
      {
        output: [
          '  ╰─▶ Failed to fetch metadata from http://127.0.0.1:1/x: HTTP status',
          '      server error (503 Service Unavailable)',
        ],
      },
    ],
    [
      'unreachable',
      {
        output: [
          '  ╰─▶ Failed to fetch metadata from http://127.0.0.1:1/x: HTTP status client',
          '      error (429 Too Many Requests)',
        ],
      },
    ],
    [
      'unreachable',
      {
        output: [
          '  ├─▶ Failed to fetch metadata from http://127.0.0.1:9/x: error',
          '  │   sending request: client error (Connect)',
        ],
      },
    ],
    [
      'unreachable',
      { output: ['  ╰─▶ x: Failed to decode', '      metadata from http://127.0.0.1:1/x: expected value'] },
    ],
    [
      'unreachable',
      { output: ['  ╰─▶ Failed to fetch http://127.0.0.1:1/x.tgz: error decoding', '      response body: request or'] },
    ],
    [
      'not-authorized',
      {
        output: [
          '  ╰─▶ Failed to fetch metadata from http://127.0.0.1:1/x: HTTP status client',
          '      error (403 Forbidden)',
        ],
      },
    ],
    [
      'damaged',
      { output: ['  ╰─▶ Failed to verify the integrity', '      of http://127.0.0.1:1/x.tgz: Integrity check'] },
    ],
    ['not-found', { output: ['  ╰─▶ git ls-remote failed: fatal: x does not', '      appear to be a git repository'] }],
    ['not-authorized', { output: [' ERR_PNPM_FETCH_403  GET http://127.0.0.1:1/x: Forbidden - 403'] }],
    ['damaged', { output: ['[ERR_PNPM_TARBALL_INTEGRITY] Got unexpected checksum for "http://127.0.0.1:1/x.tgz".'] }],
    ['damaged', { output: [' WARN  GET http://x error (ECONNREFUSED). Will retry', ' ERR_PNPM_TARBALL_INTEGRITY'] }],
    ['failed', { output: [' WARN  GET http://x error (ECONNREFUSED). Will retry', ' ERR_PNPM_OTHER'] }],
  ] satisfies [string, Partial<FinishedChange>][])('%s', (kind, finished) => {
    expect(outcome(finished).kind).toBe(kind)
  })

  test('names a package that is not found', () => {
    const output = [
      ' ERR_PNPM_FETCH_404  GET http://127.0.0.1:1/some-plugin: Not Found - 404',
      'some-plugin is not in the npm registry, or you have no permission to fetch it.',
    ]
    expect(outcome({ output })).toMatchObject({ kind: 'not-found', subjects: ['some-plugin'] })
  })

  const refusal = (plugin: string, requirements: string) =>
    `dsh: installation rejected: Plugin ${plugin} is incompatible with dsh 0.2.1-rc.2: ${requirements}. Running it may`

  test.each([
    ['requirements {"engines.dsh":"^0.1.0"}', 'dsh ^0.1.0'],
    ['peerDependencies {"@deepseek-ai/dsh-settings":"^0.1.0"}', '@deepseek-ai/dsh-settings ^0.1.0'],
  ])('names the requirements of a version that the harness refuses: %s', (requirements, asks) => {
    const output = ['dsh: nothing was installed.', refusal('@some/plugin@1.0.0', requirements)]
    expect(outcome({ output })).toMatchObject({
      kind: 'incompatible',
      subjects: ['@some/plugin@1.0.0', '0.2.1-rc.2', asks],
    })
  })

  test('names no plugin when the refusal has none, and ignores a warning about another plugin', () => {
    for (const plugin of ['--flag@1.0.0', 'some-plugin@$(x)', 'some-plugin@1'])
      expect(outcome({ output: [refusal(plugin, 'requirements {}')] })).toMatchObject({
        kind: 'incompatible',
        subjects: [],
      })
    const warning = refusal('old@1.0.0', 'requirements {"engines.dsh":"^0.1.0"}').replace(
      'installation rejected',
      'warning',
    )
    expect(outcome({ output: [warning] }).kind).toBe('failed')
  })

  test.each([
    [
      'some-plugin',
      [
        'Failed to fetch metadata from http://127.0.0.1:1/some-',
        '      plugin: HTTP status client error (404 Not',
        '      Found)',
      ],
    ],
    [
      '@some/plugin',
      [
        'Failed to fetch',
        '      metadata from http://127.0.0.1:1/npm/@some%2fplugin: HTTP',
        '      status client error (404 Not Found)',
      ],
    ],
    [
      'some-plugin',
      ['Tarball server returned HTTP 404 for http://127.0.0.1:1/some-', '      plugin/-/some-plugin-1.2.0.tgz'],
    ],
  ])('names %s in full although pnpm 12 wraps it', (name, [first, ...rest]) => {
    const output = ['Error: ERR_PNPM_X', '', `  ╰─▶ ${first}`, ...rest, '  help: nothing']
    expect(outcome({ output })).toMatchObject({ kind: 'not-found', subjects: expect.arrayContaining([name]) })
  })

  test.each([
    ['pnpm 10 and 11', 'ERR_PNPM_FETCH_404  GET ADDRESS: Not Found - 404'],
    ['pnpm 12', '  ╰─▶ Tarball server returned HTTP 404 for ADDRESS'],
  ])('names the commit that its code host does not have, from %s', (_, line) => {
    const commit = 'a1'.repeat(20)
    const output = [line.replace('ADDRESS', `https://codeload.github.com/moss/kite/tar.gz/${commit}`)]
    expect(outcome({ output })).toMatchObject({ kind: 'not-found', subjects: [commit] })
  })

  test('names a missing tarball with its package, and no other missing file', () => {
    const before = state({ dependencies: { other: '^1.0.0', mine: 'file:/home/me/packs/mine-1.0.0.tgz' } })
    for (const line of [
      " ENOENT  ENOENT: no such file or directory, open '~/packs/mine-1.0.0.tgz'",
      "[ENOENT] ENOENT: no such file or directory, stat '~/packs/mine-1.0.0.tgz'",
    ])
      expect(outcome({ before, after: before, output: [line] })).toMatchObject({
        kind: 'file-missing',
        subjects: ['~/packs/mine-1.0.0.tgz', 'mine'],
      })
    const another = "ENOENT: no such file or directory, open '/tmp/build.js'"
    expect(outcome({ before, after: before, output: [another] }).kind).toBe('failed')
  })

  test('names the plugin whose branch is gone, for which pnpm 10 refuses every change', () => {
    const before = state({ dependencies: { mono: 'github:acme/mono#side', other: '^1.0.0' } })
    const output = [' ERROR  Could not resolve side to a commit of https://github.com/acme/mono.git.']
    expect(outcome({ before, after: before, output })).toMatchObject({
      kind: 'file-missing',
      subjects: ['github:acme/mono#side', 'mono'],
    })
  })

  const commit = 'a1'.repeat(20)
  const key = `some-plugin@git+https://github.com/owner/some-plugin.git#${commit}`
  test.each([
    [10, ['For example:', 'onlyBuiltDependencies:', `  - "${key}"`]],
    [11, ['to run scripts. For example:', 'allowBuilds:', `  ${key}: true`]],
    [
      12,
      [
        '        to allow it to run scripts. For example:',
        '        allowBuilds:',
        '          some-plugin@git+https://github.com/owner/some-',
        `        plugin.git#${commit.slice(0, 8)}`,
        `        ${commit.slice(8)}: true`,
      ],
    ],
  ])('finds the key that allows a blocked prepare in the output of pnpm %i', (_, example) => {
    const output = ['ERR_PNPM_GIT_DEP_PREPARE_NOT_ALLOWED', ...example, 'dsh: pnpm failed']
    expect(outcome({ spec: github, output })).toMatchObject({ kind: 'build-blocked', subjects: [key] })
  })

  test('reads a blocked build from the profile when pnpm 11 or 12 fails and leaves the plugin half installed', () => {
    const unbuilt = ['some-plugin@1.0.0', 'other@file:../../other-1.0.0.tgz']
    const after = state({ dependencies: { 'some-plugin': '^1.0.0' }, unbuilt })
    const output = ['Error: ERR_PNPM_IGNORED_BUILDS', '  ╰─▶ Ignored build scripts: some-', '      plugin@1.0.0']
    const blocked = outcome({ after, output })
    expect(blocked).toMatchObject({ kind: 'build-blocked', subjects: unbuilt })
    expect(blocked.profile).toMatchObject({ registered: false, dependency: true })
  })
})
