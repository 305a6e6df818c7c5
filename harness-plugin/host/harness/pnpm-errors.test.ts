import { expect, test } from 'vitest'
import recorded from './pnpm-errors.recorded.json' with { type: 'json' }
import { classifyFailure } from './pnpm-errors.ts'

const NOW = Date.parse('2026-11-26T01:12:00Z')
const classify = (output: readonly string[], code = 1) =>
  classifyFailure(output, { kind: 'exited', code }, { dependencies: {}, unbuilt: [] }, NOW)

const PATCH = expect.stringMatching(/patches\/kite\.patch/)

/**
 * Expected results for what pnpm 10.34.9, 11.28.11 and 12.21.0 print with a registry on loopback, by the cause. Of versions
 * that print the same, one is recorded.
 */
const EXPECTED: Readonly<Record<string, readonly [kind: string, ...subjects: readonly unknown[]]>> = {
  'release-age': ['too-new', expect.stringMatching(/^young/)],
  'release-age-range': ['too-new', 'old'],
  'release-age-remove': ['too-new', 'young@1.0.0'],
  'bad-setting2': ['pnpm-unusable', 'duplicated mapping key (4:1)'],
  'own-config': ['pnpm-unusable', 'unexpected end of the stream within a flow collection (2:1)'],
  'bad-overrides': ['pnpm-unusable', 'Cannot parse the "b>>" selector'],
  exclude: ['pnpm-unusable', 'Invalid value in minimumReleaseAgeExclude: patterns is not iterable'],
  store: ['pnpm-unusable', 'Unexpected store location'],
  'dep-404': ['not-found', 'gone-away'],
  'tar-404': ['not-found', 'notar', 'http://127.0.0.1:4873/notar/-/notar-1.0.0.tgz'],
  'no-version': ['failed', expect.stringMatching(/^No matching version found for old@9/)],
  'dep-no-version': [
    'failed',
    expect.stringMatching(/No matching version found for old@\^9\.0\.0.*needsold9@1\.0\.0$/),
  ],
  engine: ['failed', expect.stringMatching(/engine@1\.0\.0.*>=99/)],
  platform: ['failed', expect.stringMatching(/^Unsupported platform for plat@1\.0\.0.*win32/)],
  'build-fails': ['failed', expect.stringMatching(/^fails(?:@1\.0\.0)? postinstall: /)],
  peer: ['failed', 'missing peer old'],
  401: ['not-authorized', 'registry', 'secret'],
  readonly: [
    'disk-error',
    expect.stringMatching(/^EACCES$|^Permission denied$/),
    expect.stringMatching(/^\/home\/me\/p-/),
  ],
  erofs: ['disk-error', 'Read-only file system', expect.stringMatching(/^\/home\/me\/p\//)],
  'no-git': ['program-missing', 'git'],
  'git-no-commit': ['not-found', 'a1'.repeat(20)],
  'trust-downgrade': ['failed', 'High-risk trust downgrade for "kite@2.0.0"'],
  'trust-lockfile': ['failed', 'High-risk trust downgrade for "kite@2.0.0"'],
  exotic: ['failed', expect.stringMatching(/Exotic dependency "odd" .* blockExoticSubdeps is enabled$/)],
  'patch-missing': ['pnpm-unusable', PATCH],
  'patch-fails': ['pnpm-unusable', PATCH],
  'patch-broken': ['pnpm-unusable', PATCH],
  'patch-unused': ['pnpm-unusable', 'The following patches were not used: kite'],
  tls: ['unreachable', 'certificate', expect.stringMatching(/self-signed|Other/)],
  'long-404': ['not-found', '@some-long-scope-name/dsh-plugin-with-a-rather-long-name-that-wraps-somewhere'],
  'long-no-version': [
    'failed',
    expect.stringContaining('@some-long-scope-name/found-dsh-plugin-with-a-rather-long-name-that-wraps@9'),
  ],
  'long-engine': [
    'failed',
    expect.stringContaining('@some-long-scope-name/found-engine-dsh-plugin-with-a-rather-long-name@1.0.0'),
  ],
  'ssh-down': ['unreachable'],
  'ssh-denied': ['not-authorized', 'ssh', 'git@127.0.0.1: Permission denied (publickey).'],
  'ssh-host': ['not-authorized', 'ssh', 'Host key verification failed.'],
  'ssh-missing': ['not-authorized', 'ssh', 'cannot run /nonexistent/ssh'],
  'ssh-no-repository': ['not-found'],
  'registry-address': ['pnpm-unusable', expect.stringMatching(/^Invalid URL$|relative URL without a base$/)],
  'pnpmfile-gone': ['failed', 'pnpmfile at "/home/me/p-10/hooks/gone-pnpmfile.cjs" is not found'],
}

test.each(recorded.filter(({ name }) => name !== 'bad-setting'))('pnpm $pnpm: $name', ({ name, output, code }) => {
  const expected = EXPECTED[name]!
  const { kind, subjects } = classify(output, code)
  expect([kind, ...subjects].slice(0, expected.length)).toEqual(expected)
})

test('names an invalid setting when pnpm does', () => {
  const kinds = recorded
    .filter(({ name }) => name === 'bad-setting')
    .map(({ output, pnpm }) => [pnpm, classify(output).kind])
  // pnpm 10 treats it as an age that no release has; the outcome names the setting.
  expect(kinds).toEqual([
    [10, 'too-new'],
    [11, 'pnpm-unusable'],
    [12, 'pnpm-unusable'],
  ])
})

test('gives the time at which a release that is too new will be old enough', () => {
  const { output } = recorded.find(({ name, pnpm }) => name === 'release-age' && pnpm === 12)!
  // A week after its release.
  expect(classify(output).subjects[1]).toBe('2026-12-03T00:11Z')
})

test('quotes any other error of pnpm', () => {
  expect(classify([' ERR_PNPM_SOMETHING  The moon is full'])).toEqual({
    kind: 'failed',
    subjects: ['The moon is full'],
  })
  expect(classify(['Error: ERR_PNPM_X', '', '  × adding', '  ╰─▶ The moon', '      is full', '  help: wait'])).toEqual({
    kind: 'failed',
    subjects: ['The moon is full'],
  })
})

test.each([
  [127, 'dsh: pnpm was not found; install pnpm and make it available on PATH.', 'program-missing'],
  [127, 'sh: 1: pnpm: not found', 'program-missing'],
  [1, 'dsh: pnpm not found on PATH — install pnpm to manage profile plugins', 'program-missing'],
  [1, 'Error: spawn pnpm ENOENT', 'program-missing'],
  [1, "'pnpm' is not recognized as an internal or external command,", 'program-missing'],
  [1, 'kite@1.0.0 postinstall: sh: 1: pnpm: not found', 'failed'],
  [1, 'kex_exchange_identification: Connection closed by remote host', 'unreachable'],
  [1, 'fatal: unable to access x: SSL certificate problem: self-signed certificate', 'unreachable'],
  [1, ' SELF_SIGNED_CERT_IN_CHAIN  request to https://x failed', 'unreachable'],
  [1, '[ERR_PNPM_OUTDATED_LOCKFILE] Cannot install with "frozen-lockfile"', 'pnpm-unusable'],
  [1, "[EROFS] EROFS: read-only file system, open '/home/me/package.json'", 'disk-error'],
])('classifies exit code %i with %j as %s', (code, line, kind) => {
  expect(classify([line], code).kind).toBe(kind)
})

test.each([
  'Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json',
  'The lockfile at "/home/me/.dsh/profiles/web/pnpm-lock.yaml" is broken: unexpected end of the stream (3:1)',
])('quotes the whole sentence about a lockfile: %s', (sentence) => {
  const output = [`[ERR_PNPM_OUTDATED_LOCKFILE] ${sentence}`, '', 'Note that in CI environments this is the default.']
  expect(classify(output).subjects).toEqual([sentence])
})

test('names the Node.js that pnpm 11 needs', () => {
  const output = [
    'warn: This version of pnpm requires at least Node.js v22.13',
    'warn: The current version of Node.js is v20.20.2',
    'Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite',
  ]
  expect(classify(output).subjects).toEqual(['This version of pnpm requires at least Node.js v22.13'])
})
