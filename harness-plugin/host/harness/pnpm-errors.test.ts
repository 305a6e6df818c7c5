import { expect, test } from 'vitest'
import recorded from './pnpm-errors.recorded.json' with { type: 'json' }
import { classifyFailure } from './pnpm-errors.ts'

const NOW = Date.parse('2026-11-26T01:12:00Z')
const classify = (output: readonly string[], code = 1) =>
  classifyFailure(output, { kind: 'exited', code }, { dependencies: {}, unbuilt: [] }, NOW)

const PATCH = expect.stringMatching(/\/patches\/kite\.patch/)

/** Expected results for the output of pnpm 10.34.9, 11.28.11 and 12.21.0 with a registry on loopback, by its cause. */
const EXPECTED: Readonly<Record<string, readonly [kind: string, subjects: readonly unknown[]]>> = {
  'release-age': ['too-new', [expect.stringMatching(/^young/)]],
  'release-age-range': ['too-new', [expect.stringMatching(/^old/)]],
  'release-age-remove': ['too-new', ['young@1.0.0']],
  'bad-setting2': ['setting-invalid', [expect.stringMatching(/duplicated? mapping key/)]],
  'bad-overrides': ['setting-invalid', ['Cannot parse the "b>>" selector']],
  store: [
    'reinstall-needed',
    [expect.stringMatching(/^pnpm now wants to use the store at "\/home\/me\/other-\d+\/pnpm\/ ?store\/v\d+"$/)],
  ],
  'dep-404': ['not-found', ['gone-away']],
  'tar-404': ['not-found', ['notar', 'http://127.0.0.1:4873/notar/-/notar-1.0.0.tgz']],
  'no-version': ['dependency-unusable', ['No matching version found for old@9']],
  'dep-no-version': ['dependency-unusable', ['No matching version found for old@^9.0.0', 'needsold9@1.0.0']],
  engine: ['unsupported', ['engine@1.0.0', expect.stringContaining('>=99')]],
  platform: ['unsupported', ['plat@1.0.0', expect.stringContaining('win32')]],
  'build-fails': ['build-failed', [expect.stringMatching(/^fails/), 'postinstall']],
  peer: ['dependency-unusable', ['missing peer old']],
  401: ['not-authorized', ['secret']],
  403: ['not-authorized', ['forbidden']],
  readonly: ['not-writable', [expect.stringMatching(/^\/home\/me\/p-\d+-ro\//)]],
  'no-git': ['git-missing', []],
  'git-no-commit': ['not-found', ['a1'.repeat(20)]],
  'trust-downgrade': ['untrusted-release', ['kite@2.0.0']],
  'trust-downgrade-dependency': ['untrusted-release', ['kite@2.0.0']],
  'trust-lockfile': ['untrusted-release', ['kite@2.0.0']],
  exotic: [
    'dependency-unusable',
    [expect.stringMatching(/^Exotic dependency "odd" .* blockExoticSubdeps is enabled$/)],
  ],
  'patch-missing': ['setting-invalid', [PATCH]],
  'patch-fails': ['setting-invalid', [PATCH]],
  'patch-broken': ['setting-invalid', [PATCH]],
  'patch-unused': ['setting-invalid', ['The following patches were not used: kite']],
  'patch-unused-remove': ['setting-invalid', ['The following patches were not used: kite']],
  tls: ['untrusted-certificate', [expect.stringMatching(/self-signed|Other/)]],
  'long-404': ['not-found', ['@some-long-scope-name/dsh-plugin-with-a-rather-long-name-that-wraps-somewhere']],
  'long-no-version': [
    'dependency-unusable',
    ['No matching version found for @some-long-scope-name/found-dsh-plugin-with-a-rather-long-name-that-wraps@9'],
  ],
  'long-engine': [
    'unsupported',
    ['@some-long-scope-name/found-engine-dsh-plugin-with-a-rather-long-name@1.0.0', expect.stringContaining('>=99')],
  ],
  'ssh-down': ['unreachable', []],
  'ssh-denied': ['ssh-refused', ['git@127.0.0.1: Permission denied (publickey).']],
  'ssh-host': ['ssh-refused', ['Host key verification failed.']],
  'ssh-missing': ['ssh-refused', ['cannot run /nonexistent/ssh']],
  'ssh-no-repository': ['not-found', []],
  'registry-address': ['setting-invalid', [expect.stringMatching(/^Invalid URL$|relative URL without a base$/)]],
  'pnpmfile-gone': [
    'failed',
    [expect.stringMatching(/^pnpmfile at "\/home\/me\/p-\d+\/hooks\/gone-pnpmfile\.cjs" is not found$/)],
  ],
  erofs: ['not-writable', [expect.stringMatching(/^\/home\/me\/p\//)]],
}

test.each(recorded.filter(({ name }) => Object.hasOwn(EXPECTED, name)))(
  'pnpm $pnpm: $name',
  ({ name, output, code }) => {
    const [kind, subjects] = EXPECTED[name]!
    const found = classify(output, code)
    expect(found.kind).toBe(kind)
    expect(found.subjects.slice(0, subjects.length)).toEqual(subjects)
  },
)

test('has an expectation for every recorded output', () => {
  const others = new Set(recorded.map(({ name }) => name).filter((name) => !Object.hasOwn(EXPECTED, name)))
  expect([...others].toSorted()).toEqual(['bad-setting', 'exclude', 'own-config', 'remove-missing'])
})

test('names the file of an invalid setting as far as pnpm does', () => {
  const named = (name: string) =>
    recorded.filter((one) => one.name === name).map(({ output, pnpm }) => ({ pnpm, ...classify(output) }))
  expect(named('own-config')).toEqual([
    { pnpm: 11, kind: 'setting-invalid', subjects: ['unexpected end of the stream within a flow collection (2:1)'] },
    {
      pnpm: 12,
      kind: 'setting-invalid',
      subjects: ["/home/me/.config/pnpm/config.yaml: error: line 1 column 4: unclosed bracket '['"],
    },
  ])
  expect(named('exclude')).toEqual([
    { pnpm: 10, kind: 'setting-invalid', subjects: ['Invalid value in minimumReleaseAgeExclude'] },
    { pnpm: 11, kind: 'failed', subjects: ['number 5 is not iterable (cannot read property Symbol(Symbol.iterator))'] },
    {
      pnpm: 12,
      kind: 'setting-invalid',
      subjects: ['/home/me/p-12/pnpm-workspace.yaml: error: line 5 column 27: expected sequence start'],
    },
  ])
})

test('names an invalid setting when pnpm does', () => {
  const kinds = recorded
    .filter(({ name }) => name === 'bad-setting')
    .map(({ output, pnpm }) => [pnpm, classify(output).kind])
  // pnpm 10 treats it as an age that no release has; the doctor finds the setting.
  expect(kinds).toEqual([
    [10, 'too-new'],
    [11, 'setting-invalid'],
    [12, 'setting-invalid'],
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
  [127, 'dsh: pnpm was not found; install pnpm and make it available on PATH.', 'pnpm-missing'],
  [127, 'sh: 1: pnpm: not found', 'pnpm-missing'],
  [1, 'dsh: pnpm not found on PATH — install pnpm to manage profile plugins', 'pnpm-missing'],
  [1, 'Error: spawn pnpm ENOENT', 'pnpm-missing'],
  [1, "'pnpm' is not recognized as an internal or external command,", 'pnpm-missing'],
  [1, 'kite@1.0.0 postinstall: sh: 1: pnpm: not found', 'failed'],
  [1, 'kex_exchange_identification: Connection closed by remote host', 'unreachable'],
  [1, 'fatal: unable to access x: SSL certificate problem: self-signed certificate', 'untrusted-certificate'],
  [1, ' SELF_SIGNED_CERT_IN_CHAIN  request to https://x failed', 'untrusted-certificate'],
  [1, '[ERR_PNPM_OUTDATED_LOCKFILE] Cannot install with "frozen-lockfile"', 'reinstall-needed'],
  [1, "[EROFS] EROFS: read-only file system, open '/home/me/package.json'", 'not-writable'],
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
  expect(classify(output)).toEqual({ kind: 'unsupported', subjects: ['pnpm', 'Node.js v22.13', 'v20.20.2'] })
})
