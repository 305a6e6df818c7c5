/** Tests the checks themselves: each mutant is a copy of mock-api with one wrong behaviour, which a check must catch. */
import { AssertionError } from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECKS } from './checks.ts'
import { subjectOf } from './subject.ts'

interface Mutant {
  readonly name: string
  /** File below mock-api. */
  readonly file: string
  readonly from: string
  readonly to: string
}

const MUTANTS: readonly Mutant[] = [
  {
    name: 'the page size snaps to 24',
    file: 'api/api.ts',
    from: 'matching.slice((page - 1) * limit, page * limit)',
    to: 'matching.slice((page - 1) * 24, (page - 1) * 24 + limit)',
  },
  {
    name: 'limit has no upper bound',
    file: 'api/api.ts',
    from: '?? PAGE_SIZE.default, PAGE_SIZE.max)',
    to: '?? PAGE_SIZE.default, 100_000)',
  },
  {
    name: 'limit 0 is taken at its word',
    file: 'api/api.ts',
    from: 'Number(text) >= 1',
    to: 'Number(text) >= 0',
  },
  {
    name: 'total counts the page',
    file: 'api/api.ts',
    from: 'total: matching.length',
    to: 'total: Math.min(matching.length, limit)',
  },
  { name: 'installCheck is ignored', file: 'api/api.ts', from: 'wanted === null ||', to: 'true ||' },
  {
    name: 'an unknown verdict matches nothing',
    file: 'api/api.ts',
    from: 'isVerdict(verdict) ? verdict : null',
    to: 'verdict',
  },
  { name: 'category is ignored', file: 'api/api.ts', from: 'category === null ||', to: 'true ||' },
  {
    name: 'q folds Latin letters only',
    file: 'catalogue/catalogue.ts',
    from: "text.normalize('NFC').toLowerCase().toUpperCase()",
    to: 'text.replace(/[a-z]/g, (letter) => letter.toUpperCase())',
  },
  {
    name: '% in q is a wildcard',
    file: 'api/api.ts',
    from: 'text.includes(needle)',
    to: "new RegExp(needle.replaceAll('%', '.*').replace(/[()[\\]{}+?^$\\\\]/g, '')).test(text)",
  },
  {
    name: 'the description is not searched',
    file: 'catalogue/catalogue.ts',
    from: 'record.summaryZh, description]',
    to: 'record.summaryZh]',
  },
  {
    name: 'fewest stars first',
    file: 'catalogue/parse.ts',
    from: 'b.record.stars - a.record.stars',
    to: 'a.record.stars - b.record.stars',
  },
  {
    name: 'index rows lose a column',
    file: 'catalogue/catalogue.ts',
    from: '      path,\n      record.npmPackage,',
    to: '      path,',
  },
  {
    name: 'records carry what only the mock needs',
    file: 'catalogue/catalogue.ts',
    from: '{ ...record, url:',
    to: '{ ...record, path, url:',
  },
  {
    name: 'what is not a layer counts as tested',
    file: 'catalogue/catalogue.ts',
    from: '=> verdict)',
    to: "=> (verdict === 'not-a-layer' ? 'failed' : verdict))",
  },
  {
    name: 'the two endpoints swap their caching',
    file: 'api/api.ts',
    from: "index: 'public, max-age=3600, s-maxage=21600'",
    to: "index: 'public, max-age=300, s-maxage=900'",
  },
  { name: 'one validator for everything', file: 'api/responses.ts', from: 'digest(text)', to: "digest('')" },
  {
    name: 'If-None-Match is not read',
    file: 'api/responses.ts',
    from: "request.headers.get('if-none-match')",
    to: 'null',
  },
  {
    name: 'errors are closed to other origins',
    file: 'api/responses.ts',
    from: 'headers: Record<string, string> = CORS',
    to: 'headers: Record<string, string> = {}',
  },
  {
    name: 'gzip is labelled as brotli',
    file: 'api/server.ts',
    from: "headers['content-encoding'] = encoding",
    to: "headers['content-encoding'] = 'br'",
  },
]

const SOURCE = fileURLToPath(new URL('../../mock-api', import.meta.url))
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-mutants-'))
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(directory, 'node_modules'))
})
afterAll(() => rm(directory, { recursive: true }))

/** A copy of mock-api with one string replaced, which must occur exactly once. */
async function plant({ file, from, to }: Mutant, number: number) {
  const copy = join(directory, `${number}`)
  await cp(SOURCE, copy, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  const path = join(copy, file)
  const parts = (await readFile(path, 'utf8')).split(from)
  expect(parts.length, `"${from}" is in ${file} once`).toBe(2)
  await writeFile(path, parts.join(to))
  const load = (entry: string) => import(/* @vite-ignore */ pathToFileURL(join(copy, entry)).href)
  return subjectOf(await load('mock/index.ts'), await load('mock/server.ts'))
}

/** Name of the first check that the subject fails; a crash does not count, as it may be the mutant's own. */
async function caughtBy(subject: ReturnType<typeof subjectOf>): Promise<string | null> {
  for (const { name, run } of CHECKS) {
    try {
      await run(subject)
    } catch (error) {
      const reason = (error as Error).cause ?? error
      if (!(reason instanceof AssertionError)) throw error
      return name
    }
  }
  return null
}

test('a copy without a mistake passes every check', async () => {
  const untouched = { name: '', file: 'mock/index.ts', from: 'export { generate }', to: 'export { generate }' }
  expect(await caughtBy(await plant(untouched, MUTANTS.length))).toBeNull()
})

test.for(MUTANTS.map((mutant, number) => ({ ...mutant, number })))('$name: caught', async ({ number, ...mutant }) => {
  expect(await caughtBy(await plant(mutant, number))).not.toBeNull()
})
