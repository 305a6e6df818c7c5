import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aHome, aRecord, directoryOf } from '../host/testing.ts'
import { allFilters } from './filters.ts'
import { Run } from './main.ts'
import { NO_DIRECTORY } from './session.ts'
import { placePlugins, records, runsForTests } from './testing.ts'
import { render } from './text/render.ts'

const { json, start, text, home } = runsForTests()

test('finds plugins that passed, and with --all the others', async () => {
  const passed = await json(['search'])
  expect(passed.document.data.listings.map(({ id }: { id: string }) => id)).not.toContain('a/failed')
  expect(passed.document.data).toMatchObject({ total: 3, hidden: 1 })
  expect((await json(['search', '--all', '--limit', '1'])).document.data).toMatchObject({
    total: 4,
    listings: [{ id: 'a/good' }],
  })
})

test('finds with --all what only the directory has texts of, and says where it was not asked', async () => {
  const summary = 'Turns lecture notes into exams.'
  const directory = directoryOf([...records, aRecord('c/exams', { installCheck: null, stars: 265, summary })])
  const found = async (...words: string[]) => {
    const { document, stderr } = await json(['search', ...words], directory)
    return [document.data.total, document.data.listings[0], stderr]
  }
  expect(await found('lecture', 'notes')).toMatchObject([0, undefined, ''])
  directory.fail(true)
  expect(await found('lecture', 'notes', '--all')).toMatchObject([
    0,
    undefined,
    expect.stringMatching(/did not answer.*only by its name/),
  ])
  directory.fail(false)
  const exams = { id: 'c/exams', summary, stars: 265 }
  expect(await found('lecture', 'notes', '--all')).toMatchObject([1, exams, ''])
  expect(await found('exams', '--all')).toMatchObject([1, exams, ''])
})

test('marks what is installed in a profile of this machine', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  await placePlugins(home.directory, { good: '^1.0.0' })
  const { data } = (await json(['search'], { env: { DSH_HOME: home.home } })).document
  const marks = data.listings.map(({ id, installed }: { id: string; installed: boolean }) => [id, installed])
  expect(marks).toEqual([
    ['a/good', true],
    ['b/many#one', false],
    ['b/many#two', false],
  ])
  const options = { env: { TERM: 'dumb' }, stderr: {}, locale: 'en', color: 'never', directory: NO_DIRECTORY } as const
  const shown = render('search', data, { ...options, stdout: { isTTY: true, columns: 120 } }).text
  expect(shown.split('\n').filter((line) => line.includes('Installed'))).toEqual([expect.stringContaining('a/good')])
})

test('describes what it shows and did not pass', async () => {
  const directory = directoryOf([aRecord('c/exams', { installCheck: null, stars: 265 })])
  const { document } = await json(['search', '--all'], directory)
  expect(document.data.listings).toMatchObject([{ id: 'c/exams', stars: 265, described: true }])
})

test('takes a whole full name or package name', async () => {
  expect((await json(['show', 'A/GOOD'])).document.data.id).toBe('a/good')
  expect((await json(['show', 'two'])).document.data.id).toBe('b/many#two')
  expect(await json(['show', 'b/many'])).toMatchObject({
    code: 3,
    document: { error: { code: 'ambiguous' }, data: { suggestions: ['b/many#one', 'b/many#two'] } },
  })
  expect(await json(['show', 'a/goo'])).toMatchObject({
    code: 3,
    document: { error: { code: 'unknown-listing' }, data: { suggestions: ['a/good'] } },
  })
})

test('ends with 6 when the directory cannot be reached, and names it in the document', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const { code, document } = await json(['index'], { fetch })
  expect(code).toBe(6)
  expect(document).toMatchObject({
    directory: { url: 'https://directory.example', state: 'unreachable', readAt: null },
    error: { code: 'directory', retryable: true, next: expect.any(String) },
  })
})

test('keeps the stored index of another site until told to replace it', async () => {
  const directory = directoryOf(records)
  await json(['index'], directory)
  const moved = {
    ...directory,
    fetch: (async (...given) => {
      const answer = await directory.fetch(...given)
      const body = await answer.json()
      return Response.json(body.site ? { ...body, site: 'https://www.directory.example' } : body)
    }) as typeof fetch,
  }
  directory.change([...records])
  expect(await json(['index', '--refresh', '--home', '/homes/one'], moved)).toMatchObject({
    code: 4,
    document: {
      error: {
        code: 'index-differs',
        message: expect.stringContaining('from https://www.directory.example'),
        next: expect.not.stringContaining('plugmark'),
      },
      data: { accept: 'plugmark index --replace --home /homes/one --json' },
    },
  })
  expect(await json(['index', '--replace'], moved)).toMatchObject({ code: 0 })
  expect(await json(['index', '--refresh'], moved)).toMatchObject({ code: 0 })
})

test('shows a plugin that only the index has without a network, with its command', async () => {
  const directory = directoryOf(records)
  await json(['search'], directory)
  directory.fail(true)
  expect((await json(['show', 'a/failed'], directory)).document.data).toMatchObject({
    described: false,
    command: 'dsh plugin --profile web add failed',
    reason: null,
  })
  const { run, written } = start(['show', 'a/failed'], directory)
  await run.finish()
  expect(written.stdout).not.toMatch(/^(?:license|risk)\t/m)
  // The listing may be newer than the index.
  expect(await json(['show', 'a/newer'], directory)).toMatchObject({
    code: 3,
    document: { error: { message: expect.stringContaining('cannot be reached') } },
  })
})

test.each([
  ['is:updatable', 'A search does not look for newer versions.', 'plugmark outdated --json'],
  ['stars:', '"stars:" has no value that this filter knows, such as: 1000, ..50.', null],
  ['colour:', '"colour:" is not a filter. Filters: ', null],
  ['is:banana', 'It knows: installs, passed, needs-approval, all, installable, installed, new.', null],
])('refuses %s instead of a search for everything, and says what it takes', async (typed, message, next) => {
  const { code, document } = await json(['search', typed])
  expect([code, document.error.message]).toEqual([2, expect.stringContaining(message)])
  if (next !== null) expect(document.error.next).toBe(next)
})

test('takes every filter that its help and its completion name', async () => {
  const help = (await text(['help', 'filters'])).stdout
  expect(help).toMatch(/^ *stars:1000 +at least so many/m)
  for (const filter of allFilters().filter((one) => !one.startsWith('risk:'))) {
    expect(help, filter).toContain(filter.split(':')[1])
    expect((await json(['search', filter, '--home', home()])).code, filter).not.toBe(2)
  }
})

test('finds nothing with a filter that there is not, and names the one that may be meant', async () => {
  expect(await json(['search', 'notes', 'categry:memory'])).toMatchObject({
    code: 2,
    document: {
      error: { code: 'usage', message: '"categry:" is not a filter.' },
      data: { suggestions: ['category:memory'] },
    },
  })
  expect((await text(['search', 'categry:memory'])).stderr).toContain('Next: plugmark search category:memory')
  const { document } = await json(['search', 'colour:red'])
  expect(document.error.message).toBe(
    '"colour:" is not a filter. Filters: category, risk, license, language, owner, stars, pushed, fits, is, sort.',
  )
})

test.each([
  ['risk:netwrk', 'risk:network', null],
  ['license:gpl', 'license:GPL-3.0-only', null],
  ['license:MIT,NOTHING', null, 'MIT, GPL-3.0-only, none'],
  ['stars:many', null, '1000, ..50'],
])('refuses %s, a value that no plugin has, and names the nearest or what there is', async (typed, near, known) => {
  const licensed = ['MIT', 'MIT', 'GPL-3.0-only'].map((license, at) =>
    aRecord(`l/${at}`, { license, riskFlags: ['network'], installCheck: 'passed' }),
  )
  const given = directoryOf(licensed)
  for (const refresh of [false, true]) {
    const { code, document } = await json(['search', typed], given)
    expect(code).toBe(2)
    if (near !== null) expect(document.data).toMatchObject({ suggestions: [near] })
    else expect(document.error.message).toContain(`: ${known}.`)
    // The second time, what the first has prepared is read.
    if (!refresh)
      expect((await json(['search', 'license:mit', 'risk:network,none'], given)).document.data.total).toBe(2)
  }
})

test('shows with is:new what the directory has added since the search for it before', async () => {
  const directory = directoryOf(records)
  const first = await json(['search', 'is:new'], directory)
  expect(first.document.data).toMatchObject({ total: 0, problems: [] })
  expect(first.stderr).toContain('Nothing is new at the first look.')
  directory.change([...records, aRecord('c/added', { installCheck: 'passed' })])
  expect((await json(['index', '--refresh'], directory)).code).toBe(0)
  for (let at = 0; at < 2; at++) {
    const { data } = (await json(['search', 'is:new'], directory)).document
    expect(data.listings.map(({ id }: { id: string }) => id)).toEqual(['c/added'])
  }
})

test('takes no part of the directory for a look at it', async () => {
  const directory = directoryOf(records)
  const partly = {
    ...directory,
    fetch: (async (...given) =>
      String(given[0]).includes('/index')
        ? new Response(null, { status: 503 })
        : directory.fetch(...given)) as typeof fetch,
  }
  expect((await json(['search', 'is:new'], partly)).document.directory.generated).toBeNull()
  expect((await json(['index', '--refresh'], directory)).document.data.count).toBe(4)
  expect((await json(['search', 'is:new', '--all'], directory)).document.data).toMatchObject({ total: 0 })
})

test('refuses a value that a filter does not have, and names the search that was meant', async () => {
  expect(await json(['search', 'category:memori', 'license:MIT'])).toMatchObject({
    code: 2,
    document: {
      error: { code: 'usage', next: expect.stringContaining('search category:memory license:MIT') },
      data: { suggestions: ['category:memory'] },
    },
  })
  const { code, stdout, stderr } = await text(['search', 'notes category:memori', '--limit', '3'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Error: "category:memori" has no value that this filter knows\.$/m)
  expect(stderr).toMatch(/Did you mean:\s+category:memory/)
  expect(stderr).toMatch(/^Next: plugmark search 'notes category:memory' --limit 3$/m)
  expect(await text(['search', 'category:zebra'])).toMatchObject({ code: 2, stdout: '' })
})

test('finds a plugin by its name without the prefix that many share, unless another has exactly that name', async () => {
  const directory = directoryOf([aRecord('a/dsh-plugin-kite')])
  const shown = async () => (await json(['show', 'kite'], directory)).document.data.id
  expect(await shown()).toBe('a/dsh-plugin-kite')
  directory.change([aRecord('a/dsh-plugin-kite'), aRecord('b/kite')])
  await json(['index', '--refresh'], directory)
  expect(await shown()).toBe('b/kite')
})

test('shows at a terminal how Plugmark installs a plugin, and the command of the harness only with --verbose', async () => {
  const { data } = (await json(['show', 'a/good'])).document
  const options = { env: {}, stderr: {}, locale: 'en', color: 'never', directory: NO_DIRECTORY } as const
  const terminal = { ...options, stdout: { isTTY: true, columns: 80 } }
  expect(render('show', data, terminal).text).toMatch(/^Install +plugmark install a\/good --profile web$/m)
  expect(render('show', data, terminal).text).not.toContain('dsh plugin')
  expect(render('show', data, { ...terminal, verbose: true }).text).toContain('dsh plugin --profile web add')
  const fit = { ...data.fit, state: 'does-not-run', sentence: 'Did not start here: fouled' }
  const broken = render('show', { ...data, fit }, terminal).text
  expect(broken.indexOf('Did not start here: fouled')).toBeLessThan(broken.indexOf('\nDirectory '))
  expect(broken.match(/Did not start here/g)).toHaveLength(1)
  const failed = (await json(['show', 'a/failed'])).document.data
  expect(render('show', failed, terminal).text).toMatch(/^Install +Refused, because of its install check\.$/m)
  expect(render('show', failed, terminal).text).not.toMatch(/plugmark install|dsh plugin/)
})

test('names the facts of a plugin alike in every language, for a program', async () => {
  const names = async (LANG: string) => {
    const { stdout } = await text(['show', 'a/good'], { env: { LANG } })
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0])
  }
  const inEnglish = await names('C')
  expect(inEnglish).toEqual(expect.arrayContaining(['id', 'summary', 'version', 'check', 'risk', 'stars']))
  expect(await names('zh_CN.UTF-8')).toEqual(inEnglish)
})

test('finds a plugin by address, install command and unique name, as search lists it', async () => {
  for (const id of ['https://github.com/a/good', 'dsh plugin --profile web add github:a/good', 'good', 'GOOD'])
    expect((await json(['show', id])).document.data?.id, id).toBe('a/good')
})

test('does not answer that nothing is installed where that is unknown', async () => {
  const none = await json(['search', 'is:installed'], { env: { DSH_HOME: '/nowhere' } })
  expect(none).toMatchObject({ code: 7, document: { error: { code: 'no-profile', next: expect.any(String) } } })
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const there = await json(['search', 'is:installed'], { env: { DSH_HOME: home.home } })
  expect(there).toMatchObject({ code: 0, document: { data: { total: 0 } } })
})

test('takes a category that only the directory knows, and names the nearest of a misspelt one', async () => {
  const { fetch } = directoryOf([...records, aRecord('c/booth', { installCheck: 'passed', category: 'voice' })])
  for (const filters of ['category:voice', 'category:ui,voice']) {
    const { code, document } = await json(['search', filters], { fetch })
    expect([code, document.data.listings.map(({ id }: { id: string }) => id)], filters).toEqual([0, ['c/booth']])
  }
  const misspelt = await json(['search', 'notes', 'category:memry'], { fetch })
  expect(misspelt.document.error.next).toBe('plugmark search notes category:memory --json')
})

test('leads to what the registry has of a name that is not listed, and installs no misspelt name', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const refused = async (...names: string[]) =>
    (await json(['install', ...names, '--profile', 'web'], { env: { DSH_HOME: home.home } })).document.error
  expect(await refused('left-pad')).toMatchObject({
    message: expect.stringMatching(/does not list "left-pad"\. .*--unlisted/),
    next: 'plugmark show left-pad --unlisted --profile web --json',
  })
  expect(await refused('zz/left-pad')).toMatchObject({
    message: expect.stringMatching(/does not list "zz\/left-pad"\. .*github:/),
    next: 'plugmark install github:zz/left-pad --profile web --json',
  })
  // It would take all of them for packages.
  expect((await refused('a/good', 'left-pad')).next).not.toContain('--unlisted')
  expect(await refused('goood')).toMatchObject({
    message: 'The directory does not list "goood".',
    next: expect.not.stringContaining('--unlisted'),
  })
})

test('names no search that finds nothing as the next step, but the question to the registry', async () => {
  const { next } = (await json(['show', 'nosuchthing'])).document.error
  expect(next).toBe('plugmark show nosuchthing --unlisted --json')
  expect((await json(['show', 'x/many'])).document.error.next).toMatch(/^plugmark (?:search|show) /)
})

test('names a folder that is not there', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const env = { DSH_HOME: home.home }
  const { code, document } = await json(['check', './nofolder', '--profile', 'web'], { env })
  expect([code, document.error.code]).toEqual([3, 'unknown-source'])
  expect(document.error.message).toBe('There is no folder or tarball "./nofolder".')
})

test('opens a page whatever profile is stored', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const env = { DSH_HOME: home.home }
  expect((await json(['config', 'profile', 'gone'], {})).code).toBe(0)
  expect((await json(['list'], { env })).document.error).toMatchObject({
    code: 'unknown-profile',
    message: expect.stringContaining('plugmark config profile'),
    next: 'plugmark config profile --unset --json',
  })
  expect((await json(['open', 'a/good', '--what', 'source'], { env })).code).toBe(0)
})

test('names the source of an unreachable address once and without its query', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const { stderr } = await text(['search', 'x'], { fetch })
  expect(stderr.match(/directory\.example/g)).toHaveLength(1)
  expect(stderr).toContain('Next: Try again, or give PLUGMARK_API another address.')
  expect(stderr).not.toContain('plugmark config')
  expect(stderr).not.toContain('?')
})

test.skipIf(process.platform !== 'linux').each([
  ['exit 3', /^https:\/\/github\.com\/a\/good could not be opened here\.\n$/],
  ['exit 0', /^Opened https:/],
  ['sleep 30', /^Opened https:/],
])('says at a terminal whether a browser opened an address: %s', async (script, said) => {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-open-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  let shown = ''
  const terminal = () =>
    Object.assign(new PassThrough(), { isTTY: true, columns: 100 }).on('data', (chunk) => {
      shown += chunk
    })
  const env = {
    PATH: `${folder}:/bin`,
    HOME: folder,
    LANG: 'C',
    NO_COLOR: '1',
    PLUGMARK_API: 'https://directory.example',
  }
  const stderr = Object.assign(new PassThrough().resume(), { isTTY: true })
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const surroundings = { env, stdin, stdout: terminal(), stderr, replaced: { fetch: directoryOf(records).fetch } }
  expect(await new Run(['open', 'a/good'], surroundings, new AbortController().signal).finish()).toBe(0)
  expect(shown).toMatch(said)
})

test('opens the folder of a plugin in its repository', async () => {
  const url = async (...argv: string[]) => (await json(['open', ...argv])).document.data.url
  expect(await url('b/many#one', '--what', 'source')).toBe('https://github.com/b/many/tree/HEAD/one')
  expect(await url('a/good', '--what', 'source')).toBe('https://github.com/a/good')
  expect(await url('b/many#one', '--what', 'releases')).toBe('https://github.com/b/many/releases')
})

describe('release notes and dates', () => {
  const options = { env: {}, stdout: {}, stderr: {}, locale: 'en', color: 'auto', directory: NO_DIRECTORY } as const
  const terminal = { ...options, stdout: { isTTY: true, columns: 80 }, env: { TERM: 'dumb' } } as const

  test('search says when each plugin last changed, at a terminal and last in a pipe', async () => {
    const { data } = (await json(['search', '--all'])).document
    const [first] = data.listings
    const dated = { ...data, listings: [{ ...first, pushedAt: '2026-08-20T23:59:00Z' }] }
    expect(render('search', dated, options).text.trimEnd().split('\t').at(5)).toBe('2026-08-20')
    expect(render('search', dated, terminal).text).toContain('2026-08-20')
    const undated = { ...data, listings: [{ ...first, pushedAt: null }] }
    expect(render('search', undated, options).text.replace(/\n$/, '').split('\t').at(5)).toBe('')
  })

  test('show --notes prints the release notes as they are written, or says why there are none', async () => {
    const { data } = (await json(['show', 'a/good'])).document
    expect(data.notes).toBeNull()
    const read = { ...data, notes: { state: 'read', text: '# 1.1.0\n\n- Faster\n  - twice\n' } }
    expect(render('show', read, options).text).toBe('# 1.1.0\n\n- Faster\n  - twice\n')
    expect(render('show', read, terminal).text).toContain('Release notes\n\n# 1.1.0\n\n- Faster\n  - twice\n')
    const none = { ...data, notes: { state: 'not-found', text: null } }
    expect(render('show', none, options)).toEqual({ text: '', notes: ['It has no release notes.'] })
    expect(render('show', { ...data, notes: { state: 'busy', text: null } }, options).notes[0]).toMatch(/asks to wait/)
  })
})
