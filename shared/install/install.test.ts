import fc from 'fast-check'
import validate from 'validate-npm-package-name'
import { describe, expect, it } from 'vitest'
import {
  bindInstall,
  type InstallResult,
  installArguments,
  isPackageName,
  isProfileName,
  listingLink,
  NOT_INSTALLABLE_REASONS,
  parseInstallCommand,
  renderInstall,
  specText,
} from './index.ts'

const cli = 'dsh'
const parse = (text: unknown) => parseInstallCommand(text, { cli })
const reasonOf = (result: InstallResult) => (result.ok ? `ok ${specText(result.plan.spec)}` : result.reason)

describe('parseInstallCommand', () => {
  it.each([
    ['dsh plugin --profile web add koi-pond', 'ok koi-pond'],
    ['dsh plugin --profile web add @reeds/koi-pond', 'ok @reeds/koi-pond'],
    ['dsh plugin --profile My.work_2 add github:Reeds/koi.pond', 'ok github:Reeds/koi.pond'],
    [null, 'not-text'],
    [['dsh plugin --profile web add koi-pond'], 'not-text'],
    ['', 'malformed'],
    ['dsh plugin add koi-pond', 'malformed'],
    ['dsh plugin --profile web add', 'malformed'],
    ['dsh plugin --profile web remove koi-pond', 'malformed'],
    ['dsh plugin --profile=web add koi-pond', 'malformed'],
    ['dsh  plugin --profile web add koi-pond', 'malformed'],
    [' dsh plugin --profile web add koi-pond', 'malformed'],
    ['dsh plugin --profile web add koi-pond ', 'malformed'],
    ['dsh plugin --profile web add koi-pond && id', 'malformed'],
    ['dsh plugin --profile web add koi-pond\n', 'bad-spec'],
    ['dsh plugin --profile web add koi-pond;id', 'bad-spec'],
    ['dsh plugin --profile web add koi-pond@1.0.0', 'bad-spec'],
    ['dsh plugin --profile web add koi-pond@latest', 'bad-spec'],
    ['dsh plugin --profile web add npm:koi-pond', 'bad-spec'],
    ['dsh plugin --profile web add ./koi-pond', 'bad-spec'],
    ['dsh plugin --profile web add https://example.org/koi.tgz', 'bad-spec'],
    ['dsh plugin --profile web add reeds/koi-pond', 'bad-spec'],
    ['dsh plugin --profile web add koi-pond.tgz', 'bad-spec'],
    ['dsh plugin --profile web add @reeds/koi-pond.tar.gz', 'bad-spec'],
    ['dsh plugin --profile web add github:reeds/koi.tgz', 'ok github:reeds/koi.tgz'],
    ['dsh plugin --profile web add --registry', 'bad-spec'],
    ['dsh plugin --profile web add Koi-Pond', 'bad-spec'],
    ['dsh plugin --profile web add github:reeds/koi#main', 'bad-spec'],
    ['dsh plugin --profile web add github:reeds/koi.git', 'bad-spec'],
    ['dsh plugin --profile web add github:reeds/..', 'bad-spec'],
    ['dsh plugin --profile web add github:reeds', 'bad-spec'],
    ['dsh plugin --profile web add github:-reeds/koi', 'bad-spec'],
    ['dsh plugin --profile web add github:reeds/koi/sub', 'bad-spec'],
    ['dsh plugin --profile $(id) add koi-pond', 'bad-profile'],
    ['dsh plugin --profile ../web add koi-pond', 'bad-profile'],
    ['dsh plugin --profile --web add koi-pond', 'bad-profile'],
    [`dsh plugin --profile ${'a'.repeat(65)} add koi-pond`, 'bad-profile'],
    ['bash plugin --profile web add koi-pond', 'other-cli'],
    ['DSH plugin --profile web add koi-pond', 'other-cli'],
  ])('%j is %s', (text, expected) => {
    expect(reasonOf(parse(text))).toBe(expected)
  })

  it('takes another program when that is the harness', () => {
    expect(parseInstallCommand('hx plugin --profile web add koi-pond', { cli: 'hx' }).ok).toBe(true)
  })

  it('answers any value with a plan or a known reason', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }), (value) => {
        for (const result of [parse(value), bindInstall(value, { cli })])
          if (!result.ok) expect(NOT_INSTALLABLE_REASONS).toContain(result.reason)
      }),
      { numRuns: 3000 },
    )
  })

  it('renders what it parsed to the letter, and refuses every near miss', () => {
    const word = fc.stringMatching(/^[a-z0-9@][a-z0-9._/@:#-]{0,20}$/)
    fc.assert(
      fc.property(
        word,
        fc.stringMatching(/^[\w.-]{1,70}$/),
        fc.constantFrom(' ', '\t', '\n', ';', '"'),
        (spec, profile, extra) => {
          const text = `dsh plugin --profile ${profile} add ${spec}`
          const result = parse(text)
          if (!result.ok) return
          expect(renderInstall(result.plan)).toBe(text)
          expect(parse(text + extra).ok).toBe(false)
          expect(parse(extra + text).ok).toBe(false)
        },
      ),
      { numRuns: 3000 },
    )
  })
})

/** What the validator allows and we do not: its scope part may hold quotes, brackets and a leading dot or hyphen. */
const scopeIsPlain = (name: string) => !name.startsWith('@') || /^@[a-z0-9][a-z0-9._-]*\//.test(name)

describe('isPackageName', () => {
  const pieces = fc.constantFrom(
    'a',
    'b',
    '9',
    '@',
    '/',
    '.',
    '-',
    '_',
    '~',
    "'",
    '!',
    '(',
    'A',
    ' ',
    '%',
    'é',
    'node_modules',
    '.tgz',
    '.tar',
    '.gz',
  )
  const name = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
    fc.stringMatching(/^@?[a-z._-]{1,5}\/?[a-z._-]{0,5}$/),
  )

  it('agrees with the registry about new packages', () => {
    let accepted = 0
    fc.assert(
      fc.property(name, (text) => {
        const verdict = validate(text)
        const onlyCoreModule =
          verdict.validForOldPackages && verdict.warnings?.every((line) => line.includes('core module'))
        const isName = verdict.validForNewPackages || onlyCoreModule === true
        const expected = isName && scopeIsPlain(text) && !/\.(tgz|tar|tar\.gz)$/.test(text)
        if (expected) accepted++
        expect(isPackageName(text), text).toBe(expected)
      }),
      { numRuns: 20_000 },
    )
    expect(accepted).toBeGreaterThan(500)
  })

  it.each(['koi.tgz', 'koi.tar.gz', 'koi.tar', '@reeds/koi.tgz', '@reeds/koi.tar.gz', '@reeds/koi.tar', 'a.b.tgz'])(
    'refuses %s, which a package manager reads as a local archive',
    (name) => expect(isPackageName(name)).toBe(false),
  )

  it.each(['tgz', 'tar', 'koi-tgz', '@reeds/tar', 'koi.tgz.js', 'koi.target', 'koi.gz'])('takes %s', (name) =>
    expect(isPackageName(name)).toBe(true),
  )

  it('counts the whole name, scope included', () => {
    expect(isPackageName(`@a/${'b'.repeat(211)}`)).toBe(true)
    expect(isPackageName(`@a/${'b'.repeat(212)}`)).toBe(false)
  })
})

describe('bindInstall', () => {
  const add = (spec: string) => `dsh plugin --profile web add ${spec}`
  it.each([
    [{ fullName: 'Reeds/Koi', install: add('koi'), npm: 'koi' }, 'ok koi'],
    [{ fullName: 'Reeds/Koi', install: add('koi'), npmPackage: 'koi' }, 'ok koi'],
    [{ fullName: 'Reeds/Koi', install: add('github:reeds/koi'), npm: null }, 'ok github:reeds/koi'],
    [{ fullName: 'reeds/koi#packages/a', install: add('koi-a'), npm: 'koi-a' }, 'ok koi-a'],
    [{ fullName: 'reeds/koi', install: add('koi2'), npm: 'koi' }, 'other-package'],
    [{ fullName: 'reeds/koi', install: add('koi'), npm: null }, 'other-package'],
    [{ fullName: 'reeds/koi', install: add('koi'), npm: 7 }, 'other-package'],
    [{ fullName: 'reeds/koi', install: add('github:reeds/other'), npm: null }, 'other-repository'],
    [{ fullName: 'reeds/koi', install: add('github:weeds/koi'), npm: null }, 'other-repository'],
    [{ fullName: 'reeds/koi#a', install: add('github:reeds/koi'), npm: null }, 'subdirectory-needs-package'],
    [{ fullName: 'reeds/koi#a', install: null, npm: null }, 'subdirectory-unpublished'],
    [{ fullName: 'reeds/koi', install: null, npm: null }, 'unpublished'],
    [{ fullName: 'reeds/koi', install: null, npm: 'koi' }, 'no-command'],
    [{ fullName: 'reeds/koi', install: 7, npm: 'koi' }, 'not-text'],
    [{ fullName: 'reeds', install: add('koi'), npm: 'koi' }, 'bad-listing'],
    [{ fullName: 'reeds/koi#', install: add('koi'), npm: 'koi' }, 'bad-listing'],
    [{ install: add('koi') }, 'bad-listing'],
    [null, 'bad-listing'],
  ])('%j is %s', (listing, expected) => {
    expect(reasonOf(bindInstall(listing, { cli }))).toBe(expected)
  })

  it('does not throw at a listing that throws when it is read', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('read')
        },
      },
    )
    expect(reasonOf(bindInstall(hostile, { cli }))).toBe('bad-listing')
  })
})

describe('renderInstall', () => {
  const plan = { cli, profile: 'web', spec: { kind: 'npm', name: 'koi' } } as const
  it('puts in the profile of the person', () => {
    expect(renderInstall(plan, { profile: 'work' })).toBe('dsh plugin --profile work add koi')
    expect(installArguments(plan, { profile: 'work' })).toEqual(['plugin', '--profile', 'work', 'add', 'koi'])
  })
  it('renders nothing from a plan or a profile that breaks the rules', () => {
    expect(renderInstall(plan, { profile: 'a b' })).toBeNull()
    expect(renderInstall({ ...plan, cli: 'dsh; id' })).toBeNull()
    expect(renderInstall({ ...plan, spec: { kind: 'npm', name: '--global' } })).toBeNull()
    expect(installArguments({ ...plan, spec: { kind: 'github', owner: 'a', repo: 'b#c' } })).toBeNull()
  })
})

describe('isProfileName', () => {
  it.each(['web', 'A', '0', 'a.b_c-d', 'a'.repeat(64)])('takes %s', (name) => expect(isProfileName(name)).toBe(true))
  it.each(['', '.', '-a', '_a', 'a/b', 'a b', 'a\n', 'é', 'a'.repeat(65), null, 5, ['web']])('refuses %j', (name) =>
    expect(isProfileName(name)).toBe(false),
  )
})

describe('listingLink', () => {
  const longest = 'a'.repeat(200)
  it.each([
    ['https://example.org', '/plugins/koi', 'https://example.org/plugins/koi'],
    ['https://example.org/', '/plugins/koi-pond-2', 'https://example.org/plugins/koi-pond-2'],
    ['https://example.org/dir', '/plugins/koi', 'https://example.org/dir/plugins/koi'],
    ['http://127.0.0.1:8787', '/plugins/koi', 'http://127.0.0.1:8787/plugins/koi'],
    ['https://example.org', `/plugins/${longest}`, `https://example.org/plugins/${longest}`],
    ['javascript:alert(1)', '/plugins/koi', null],
    ['no address', '/plugins/koi', null],
    [undefined, undefined, null],
  ])('%j %j is %j', (site, path, expected) => expect(listingLink(site, path)).toBe(expected))

  it.each([
    null,
    7,
    '',
    '/',
    '/koi',
    'plugins/koi',
    '?koi',
    '@evil.test/koi',
    '//evil.test/koi',
    'javascript:alert(1)',
    '/other/koi',
    '/plugins',
    '/plugins/',
    '/plugins//koi',
    '/plugins/koi/',
    '/plugins/koi/edit',
    '/plugins/..',
    '/plugins/../admin',
    '/plugins/%2e%2e/admin',
    '/plugins/%2e%2e',
    '/plugins/koi%20pond',
    '/plugins/koi.pond',
    '/plugins/Koi',
    '/plugins/鲤鱼',
    '/plugins/-',
    '/plugins/koi?next=//evil.test',
    '/plugins/koi#install',
    '/plugins/koi\\pond',
    '/plugins/koi pond',
    ' /plugins/koi',
    '/plugins/koi ',
    '/plugins/koi\n',
    '/plugins/ko\ti',
    '/plugins/koi\u0000',
    '/plugins/koi"onclick',
    "/plugins/koi'",
    '/plugins/koi<b>',
    `/plugins/${longest}a`,
    ['/plugins/koi'],
  ])('%j is the path of no listing', (path) => expect(listingLink('https://example.org', path)).toBeNull())

  it('never leaves the pages of listings', () => {
    const path = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.stringMatching(/^[/\\@:.\t\n]{1,6}evil\.test\/$/),
      fc.stringMatching(/^\/plugins\/[a-z0-9./%?#\\-]{0,12}$/),
    )
    fc.assert(
      fc.property(path, (text) => {
        const link = listingLink('https://example.org', text)
        if (link !== null) expect(link).toMatch(/^https:\/\/example\.org\/plugins\/[a-z0-9-]+$/)
      }),
      { numRuns: 5000 },
    )
  })
})
