import { chmod, mkdir, open, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { driftOf } from '../host/profile-lock/drift.ts'
import { aHome, hashTree } from '../host/testing.ts'
import type { DataOf } from './documents.ts'
import { NO_DIRECTORY } from './session.ts'
import { harnessForTests, placePlugins, runsForTests } from './testing.ts'
import { render } from './text/render.ts'

vi.mock('../host/profile-lock/drift.ts', { spy: true })
const { json, start } = runsForTests()
async function text(argv: readonly string[], given: { readonly env: Record<string, string> }) {
  const { run, written } = start(argv, given)
  await run.finish()
  return written
}
const its = harnessForTests({ good: { '1.0.0': {}, '1.1.0': {} }, one: { '1.0.0': {} }, two: { '1.0.0': {} } })
let home: Awaited<ReturnType<typeof aHome>>
let folder: string
let given: { readonly env: Record<string, string> }
let file: string
beforeEach(async () => {
  home = await aHome()
  folder = its.folder
  given = { env: { ...its.env, DSH_HOME: home.home } }
  file = join(folder, 'team.lock.json')
  await placePlugins(home.directory, { good: '^1.0.0' })
})
afterEach(() => home.dispose())
const readLock = async () => JSON.parse(await readFile(file, 'utf8'))
const change = async (edit: (lock: Awaited<ReturnType<typeof readLock>>) => void) => {
  const lock = await readLock()
  edit(lock)
  await writeFile(file, JSON.stringify(lock))
}

test('writes a lock, and says by its exit code whether the profile is still the same', async () => {
  expect(await json(['lock', file], given)).toMatchObject({
    code: 0,
    document: { data: { profile: 'web', file, drift: [], lock: { plugmark: 2, harness: '0.2.1-rc.2' } } },
  })
  const bytes = await readFile(file, 'utf8')
  // It replaces a lock and nothing else.
  expect((await json(['lock', file], given)).code).toBe(0)
  await writeFile(join(folder, 'package.json'), '{"name":"mine"}')
  expect(await json(['lock', join(folder, 'package.json')], given)).toMatchObject({ code: 2 })
  expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe('{"name":"mine"}')
  const shown = await text(['lock', '-'], given)
  expect([shown.stdout, shown.stderr]).toEqual([bytes, expect.stringContaining('Written without pnpm-lock.yaml')])
  expect(await json(['lock', '--check', file], given)).toMatchObject({ code: 0, document: { data: { drift: [] } } })

  await mkdir(join(home.directory, '.plugmark'), { recursive: true })
  const holds = { good: { reason: 'It works.', since: 5 } }
  await writeFile(join(home.directory, '.plugmark/holds.json'), JSON.stringify({ version: 1, holds }))
  const drifted = await json(['lock', '--check', file], given)
  expect(drifted).toMatchObject({
    code: 8,
    document: {
      error: { code: 'drifted', message: `Profile web differs from ${file} in one place.` },
      data: { lock: null, drift: [{ kind: 'held', name: 'good', wanted: null, found: 'It works.' }] },
    },
  })
  const piped = await text(['lock', '--check', file], given)
  expect(piped.stderr).toContain('good is held here, and not in the file.')
  expect(piped.stdout).toBe('held\tgood\t\tIt works.\n')
  // What cannot be told is neither.
  await writeFile(join(home.directory, '.plugmark/holds.json'), '{')
  expect(await json(['lock', '--check', file], given)).toMatchObject({
    code: 1,
    document: { error: { code: 'profile-state' } },
  })
  const none = join(folder, 'none.json')
  expect(await json(['lock', '--check', none], given)).toMatchObject({
    code: 2,
    document: { error: { code: 'usage', message: `There is no file ${none}.` } },
  })
})

test('replaces a lock as a whole, behind its link and with its permissions', async () => {
  await json(['lock', file], given)
  await change((lock) => {
    lock.plugins = []
  })
  await chmod(file, 0o640)
  const link = join(folder, 'link.json')
  await symlink(file, link)
  const before = await open(file)
  onTestFinished(() => before.close())
  expect((await json(['lock', link], given)).code).toBe(0)
  // Who reads the old one meanwhile, or after a crash, has all of it.
  expect(JSON.parse(await before.readFile('utf8'))).toMatchObject({ plugins: [] })
  expect((await readLock()).plugins).toHaveLength(1)
  expect((await stat(file)).mode & 0o777).toBe(0o640)
})

test('says of a file that cannot be written only that, and shows the beginning of a line that it cannot take', async () => {
  expect(await json(['lock', join(folder, 'none', 'lock.json')], given)).toMatchObject({
    code: 2,
    document: { error: { code: 'usage', next: 'plugmark lock --help' } },
  })
  await writeFile(file, `-${'a'.repeat(3_000)}\n`)
  const { document, stderr } = await json(['sync', file, '--dry-run'], given)
  expect(stderr).toMatch(/^Line 1, “-a+…”: .{1,80}\n$/)
  // It does not say that everything is up to date.
  const terminal = { env: {}, stdout: { isTTY: true }, stderr: {}, locale: 'en', color: 'never' } as const
  expect(render('sync', document.data, { ...terminal, directory: NO_DIRECTORY }).text).toBe('Nothing was changed.\n')
  const made = [{ kind: 'order', name: 'good', wanted: null, found: null }] as const
  const planned = render('sync', { ...document.data, made }, { ...terminal, directory: NO_DIRECTORY }).text
  expect(planned).toMatch(/^Profile web\n.+\nNothing was changed\.\n$/s)
})

test('names what others cannot sync, and not the store itself, which they have', async () => {
  await placePlugins(home.directory, { mine: 'file:/x/mine.tgz', 'dsh-plugin-plugmark': 'file:/x/store.tgz' })
  const { stderr } = await text(['lock', file], given)
  expect(stderr).toContain('Others cannot sync mine:')
})

test('says once of a plugin without a source that the file only names it, and does not count it as a difference', async () => {
  await json(['lock', file], given)
  await change(({ plugins }) => {
    plugins.push({ ...plugins[0], name: 'mine', spec: null, version: null, integrity: null })
  })
  const synced = await text(['sync', file], given)
  expect(synced.stderr).toMatch(/^The file only names mine, without a source.*\nProfile web is as the file says\..*\n$/)
  const checked = await json(['lock', '--check', file], given)
  expect(checked).toMatchObject({ code: 0, document: { data: { drift: [] } } })
  const said = await text(['lock', '--check', file], given)
  expect(said.stdout).toBe('')
  expect(said.stderr).toMatch(/^The file only names mine.*\nProfile web is as .* says\.\n$/)
})

test('names the exact sync where a profile differs by what only it has', async () => {
  await json(['lock', file], given)
  await change((lock) => {
    lock.plugins = []
  })
  const { document } = await json(['lock', '--check', file], given)
  expect(document.error.next).toMatch(/^plugmark sync .*team\.lock\.json --exact --profile web --dry-run/)
})

test('ends a sync that changed something with the command that undoes it', async () => {
  const outcome = { kind: 'registered', title: 'Installed', message: '', parts: [] }
  const job = { id: '1', ids: ['a/good'], action: 'sync', output: [], outcome }
  const data = { profile: 'web', reviews: [], skipped: [], left: [], unread: [], jobs: [job] } as unknown
  const terminal = { env: {}, stdout: { isTTY: true, columns: 80 }, stderr: {}, locale: 'en', color: 'never' } as const
  const { text: shown } = render('sync', data as DataOf<'sync'>, { ...terminal, directory: NO_DIRECTORY })
  expect(shown).toContain('To undo it: plugmark undo --profile web')
})

test('calls another harness no drift, and names it before a sync', async () => {
  await json(['lock', file], given)
  await change((lock) => {
    lock.harness = '0.3.0'
  })
  const checked = await json(['lock', '--check', file], given)
  expect(checked).toMatchObject({ code: 0, document: { data: { drift: [] } } })
  expect(checked.stderr).toContain('dsh is 0.3.0 in the file, and 0.2.1-rc.2 here.')
  const synced = await json(['sync', file], given)
  expect(synced.stderr).toContain('dsh is 0.3.0 in the file, and 0.2.1-rc.2 here.')
  expect((await text(['sync', file], given)).stderr).toContain('Profile web is as the file says. Nothing was changed.')
})

test('reviews what a lock asks for, in its versions, and leaves what is the same or only here', async () => {
  await json(['lock', file], given)
  expect(await json(['sync', file], given)).toMatchObject({
    code: 0,
    document: { data: { reviews: [], jobs: [], left: [] } },
  })
  const before = await hashTree(home.directory)
  await change(({ plugins }) => {
    const [good] = plugins
    plugins.push(
      { ...good, name: 'two', held: { reason: 'It works.' } },
      { ...good, name: 'unlisted', version: '9.9.9' },
    )
    Object.assign(good, { name: 'one', off: true })
  })
  const asked = await json(['sync', file], given)
  expect(asked).toMatchObject({ code: 4, document: { error: { code: 'consent-needed' } } })
  const { reviews, skipped, left, accept, made } = asked.document.data
  expect(made).toEqual([{ kind: 'held', name: 'two', wanted: 'It works.', found: null }])
  expect(reviews.map(({ id, version }: { id: string; version: string }) => [id, version])).toEqual([
    ['b/many#two', '1.0.0'],
  ])
  expect(skipped).toMatchObject([{ id: 'unlisted@9.9.9', reason: 'not-found' }])
  expect(left).toMatchObject([
    { kind: 'missing', name: 'one' },
    { kind: 'extra', name: 'good' },
  ])
  expect(accept).toMatch(/^plugmark sync .*team\.lock\.json .*--accept \w{64} --json$/)
  const exact = await json(['sync', file, '--exact', '--dry-run'], given)
  expect(
    exact.document.data.reviews.map(({ action, id }: { action: string; id: string }) => `${action} ${id}`),
  ).toEqual(['install b/many#two', 'remove good'])
  // An install of these names would be another change.
  const stdin = await readFile(file, 'utf8')
  const piped = await json(['sync', '-', '--exact'], { ...given, stdin })
  expect(piped.document.data.accept).toMatch(/^plugmark sync - --exact .*--accept \w{64} --json$/)
  expect(await hashTree(home.directory)).toBe(before)
})

test('names the versions that there are, where that of the lock is gone from the registry', async () => {
  await json(['lock', file], given)
  await change(({ plugins }) => {
    plugins[0].version = '1.0.9'
  })
  expect(await json(['sync', file], given)).toMatchObject({
    code: 3,
    document: {
      error: {
        code: 'no-such-version',
        message: 'a/good@1.0.9: a/good has no version 1.0.9. There are: 1.1.0, 1.0.0.',
      },
    },
  })
})

test('names a plugin of the lock with the registry that does not have it, and takes the others', async () => {
  await json(['lock', file], given)
  await change(({ plugins }) => {
    plugins.push({ ...plugins[0], name: 'two' }, { ...plugins[0], name: 'elsewhere', integrity: 'sha512-elsewhere' })
  })
  const before = await hashTree(home.directory)
  const synced = await json(['sync', file], given)
  expect(synced.document.data).toMatchObject({
    reviews: [{ id: 'b/many#two' }],
    unread: [{ at: 'elsewhere', text: `elsewhere@1.0.0 (${its.registry.url}/)`, why: 'not-there' }],
  })
  expect(synced.stderr).toContain('plugmark config registry ADDRESS')
  expect(await hashTree(home.directory)).toBe(before)
})

test('reads a list, says of each line that it cannot take why, and then fails', async () => {
  const list = join(folder, 'plugins.txt')
  await writeFile(list, 'a/good\nnot a name\nb/many#two\nnowhere\n')
  const { code, document, stderr } = await json(['sync', list, '--dry-run'], given)
  expect(code).toBe(1)
  expect(document.data).toMatchObject({
    reviews: [{ id: 'b/many#two', action: 'install' }],
    skipped: [{ id: 'a/good', reason: 'installed' }],
    unread: [
      { at: '2', why: 'not-understood' },
      { at: '4', why: 'not-listed' },
    ],
  })
  expect(stderr).toContain('Line 2, “not a name”: This is not a package or a repository.')
  expect(stderr).toContain('Line 4, “nowhere”: The directory does not list it.')
  await writeFile(list, 'a/good\nnot a name\nnowhere\n')
  expect(await json(['sync', list], given)).toMatchObject({
    code: 1,
    document: {
      error: { code: 'skipped', message: '2 lines or entries of the file were left out: 2, 3.' },
      data: { jobs: [], skipped: [{ id: 'a/good' }], unread: [{ at: '2' }, { at: '3' }] },
    },
  })
})

test('takes a line of a list that only names a plugin as an install does', async () => {
  const list = join(folder, 'plugins.txt')
  await writeFile(list, 'GOOD\nmany\ntwo\n')
  const { stdout, stderr } = await text(['sync', list, '--dry-run'], given)
  expect(stderr).toContain('Line 2, “many”: Several plugins have this name.')
  expect(stdout).toMatch(/two 1\.0\.0/)
  expect(stdout).toContain('a/good')
})

test('shows nothing of a file that a terminal would obey', async () => {
  await json(['lock', file], given)
  await change((lock) => {
    lock.harness = '9.0.0\u001b[2J'
    lock.plugins.push({ ...lock.plugins[0], name: 'x', spec: 'no\u001b[2J such', version: null })
  })
  const synced = await text(['sync', file, '--dry-run'], given)
  expect(synced.stderr).toContain('This is not a package')
  await writeFile(file, '{"plugmark": \u001b[2J')
  const broken = await text(['sync', file], given)
  expect(broken.stderr).toContain('It is not JSON')
  expect([synced.stdout, synced.stderr, broken.stderr].join('')).not.toMatch(/\u001b\[2J/)
})

test('names the job of a sync that is done, although the profile cannot be compared afterwards', async () => {
  const lockfile =
    "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      good: { specifier: ^1.0.0, version: 1.0.0 }\npackages:\n  good@1.0.0: { resolution: { integrity: sha512-good } }\nsnapshots:\n  good@1.0.0: {}\n"
  await writeFile(join(home.directory, 'pnpm-lock.yaml'), lockfile)
  await json(['lock', file], given)
  await change(({ plugins }) => {
    plugins[0].held = { reason: 'It works.' }
  })
  const { accept } = (await json(['sync', file], given)).document.data
  const digest = /--accept (\w+)/.exec(accept)![1]!
  const { driftOf: compare } = await vi.importActual<{ driftOf: typeof driftOf }>('../host/profile-lock/drift.ts')
  vi.mocked(driftOf).mockImplementation((wanted, found) => {
    if (found.plugins[0]?.held) throw new Error('The disk is gone.')
    return compare(wanted, found)
  })
  const synced = await json(['sync', file, '--accept', digest], given)
  vi.mocked(driftOf).mockImplementation(compare)
  expect(synced).toMatchObject({
    code: 1,
    document: {
      error: { code: 'internal' },
      data: { jobs: [{ action: 'sync', outcome: { kind: 'synced' } }], unread: [] },
    },
  })
})
