import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { createCatalogue as CreateCatalogue } from '../catalogue.ts'

/** A mistake one could make: an edit of the engine's source that must be noticed. */
export interface PlantedBug {
  readonly name: string
  /** Whether it only shows where storage fails or the clock is set. */
  readonly inTrouble?: true
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'storage is not read again after taking the lock',
    file: 'refresh.ts',
    find: 'const { copy, check } = await store.read()\n    if (',
    replace: 'const { copy, check } = await store.read()\n    if (false && ',
  },
  {
    name: 'the lock is not taken',
    file: 'refresh.ts',
    find: 'await lock.run(LOCK_WAIT_MS, (isAlone) => attempt(force, askedAt, isAlone))',
    replace: '{ held: true as const, value: await attempt(force, askedAt, false) }',
  },
  {
    name: 'no claim before the request',
    file: 'refresh.ts',
    find: 'await store.saveCheck(claim)\n      sentAt',
    replace: 'sentAt',
  },
  {
    name: 'the back-off is kept in memory only',
    file: 'store.ts',
    find: 'if ((await write([[CHECK_KEY, check]])) && heldCheck === check) heldCheck = null',
    replace: '',
  },
  {
    name: 'the back-off does not grow',
    file: 'backoff.ts',
    find: 'FIRST_BACKOFF_MS * 2 ** (attempts - early.length - 1)',
    replace: 'FIRST_BACKOFF_MS',
  },
  {
    name: 'the pauses are as short with a copy as without',
    file: 'backoff.ts',
    find: 'hasCopy ? [] : EMPTY_BACKOFFS_MS',
    replace: 'EMPTY_BACKOFFS_MS',
  },
  {
    name: 'the first pause without a copy does not grow',
    file: 'backoff.ts',
    find: 'early[attempts - 1]',
    replace: 'early[0]',
  },
  {
    name: 'a request that was broken off blocks for as long as one that failed',
    file: 'backoff.ts',
    find: 'failedAt === null ? ',
    replace: 'failedAt === 0 ? ',
  },
  {
    name: 'nobody waits for the end of a request that was left behind',
    file: 'refresh.ts',
    find: 'if (waitMs === 0) return',
    replace: 'if (waitMs < Infinity) return',
  },
  {
    name: 'a request that was broken off is sent again at once, however often',
    file: 'backoff.ts',
    find: 'check.attempts === 1 && check.failedAt === null && ',
    replace: '',
  },
  {
    name: 'requests that are broken off again and again are no more seldom',
    file: 'backoff.ts',
    find: 'FETCH_LIMIT_MS * 2 ** Math.max(0, attempts - 2)',
    replace: 'FETCH_LIMIT_MS',
  },
  {
    name: 'a failure is forgotten by the next request',
    file: 'backoff.ts',
    find: 'return { ...check, attemptedAt: now,',
    replace: 'return { ...check, failedAt: null, attemptedAt: now,',
  },
  {
    name: 'a failure passes for a request that was broken off',
    file: 'backoff.ts',
    find: 'failedAt: attemptedAt, nextTryAt: attemptedAt + backoffMs(attempts, hasCopy),',
    replace: '',
  },
  {
    name: 'an older document replaces a newer copy',
    file: 'ruling.ts',
    find: "generated > copy.generated ? 'replace' : 'confirm'",
    replace: "generated !== copy.generated ? 'replace' : 'confirm'",
  },
  {
    name: 'an older document is a failure',
    file: 'ruling.ts',
    find: "  return generated > copy.generated ? 'replace'",
    replace:
      "  if (generated < copy.generated) throw new Error('old')\n  return generated > copy.generated ? 'replace'",
  },
  {
    name: 'the record is written before the rows, in a transaction of its own',
    file: 'store.ts',
    find: '    if (!(await write([[COPY_KEY, record], [CHECK_KEY, check], ...entries]))) return',
    replace: '    await write([[COPY_KEY, record]])\n    if (!(await write([[CHECK_KEY, check], ...entries]))) return',
  },
  {
    name: 'an empty document is taken',
    file: 'ruling.ts',
    find: "if (received === 0) throw new Error('The index is empty.')",
    replace: '',
  },
  {
    name: 'a document that was cut off is taken',
    file: 'ruling.ts',
    find: 'if (announced > received) throw',
    replace: 'if (announced < 0) throw',
  },
  {
    name: 'a document of which most rows are bad is taken',
    file: 'ruling.ts',
    find: 'if (rejected * 2 > received) throw',
    replace: 'if (rejected > received) throw',
  },
  {
    name: 'a document dated far ahead is taken',
    file: 'ruling.ts',
    find: '!(Date.parse(generated) <= now + INDEX_EXPIRED_MS)',
    replace: 'now > Number.MAX_VALUE',
  },
  {
    name: 'a document of another site is taken',
    file: 'ruling.ts',
    find: 'if (site !== copy.site &&',
    replace: 'if (site === null &&',
  },
  {
    name: 'a clock set back keeps the copy fresh',
    inTrouble: true,
    file: 'state.ts',
    find: "if (age < -CLOCK_SKEW_MS) return 'stale'",
    replace: '',
  },
  {
    name: 'clocks of two tabs that differ by some ms make the copy stale',
    file: 'state.ts',
    find: 'age < -CLOCK_SKEW_MS',
    replace: 'age < 0',
  },
  {
    name: 'a clock set back makes the back-off endless',
    inTrouble: true,
    file: 'backoff.ts',
    find: ' && left <= LAST_BACKOFF_MS + CLOCK_SKEW_MS',
    replace: '',
  },
  {
    name: 'damaged rows are not noticed',
    inTrouble: true,
    file: 'store.ts',
    find: 'if (!isBucket(text)) {',
    replace: "if (typeof text !== 'string') {",
  },
  {
    name: 'names are compared with their case',
    file: 'page-catalogue.ts',
    find: 'new Set(Array.from(ownerRepos, repositoryKey))',
    replace: 'new Set(ownerRepos)',
  },
  {
    name: 'a hanging request is waited for',
    file: 'refresh.ts',
    find: "await withTimeLimit(timer, FETCH_LIMIT_MS, 'The index request', answer)",
    replace: 'await answer',
  },
  {
    name: 'what the storage would not take is forgotten',
    inTrouble: true,
    file: 'store.ts',
    find: '    heldCopy = held\n    heldCheck = check\n',
    replace: '',
  },
]

/** A copy of the engine in a directory of its own, with the bug in it. */
export async function plant(
  bug: PlantedBug,
): Promise<{ createCatalogue: typeof CreateCatalogue; remove: () => Promise<void> }> {
  const shared = fileURLToPath(new URL('../..', import.meta.url))
  const directory = await mkdtemp(join(tmpdir(), 'plugmark-bug-'))
  for (const folder of ['catalogue', 'contract'])
    await cp(join(shared, folder), join(directory, folder), { recursive: true })
  await cp(join(shared, 'package.json'), join(directory, 'package.json'))
  await symlink(join(shared, '../node_modules'), join(directory, 'node_modules'))

  const file = join(directory, 'catalogue', bug.file)
  const source = await readFile(file, 'utf8')
  if (source.split(bug.find).length !== 2) throw new Error(`${bug.file} does not have exactly one: ${bug.find}`)
  await writeFile(
    file,
    source.replace(bug.find, () => bug.replace),
  )

  const { createCatalogue } = await import(pathToFileURL(join(directory, 'catalogue/catalogue.ts')).href)
  return { createCatalogue, remove: () => rm(directory, { recursive: true }) }
}
