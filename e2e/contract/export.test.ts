/** Plugmark's clients over the files of `plugmark-directory export`, which ignore every parameter of a query. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedCatalogue } from '@plugmark/mock-api'
import { exportStatic } from '@plugmark/mock-api/tools'
import { createDirectoryClient } from '@plugmark/shared/client'
import { LIMITS } from '@plugmark/shared/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Catalogue } from '../../harness-plugin/host/catalogue/catalogue.ts'

const SITE = 'https://static.example'
const catalogue = embeddedCatalogue({ size: 280 })
const NOTES = 'lanternworks/dsh-plugin-harbor-notes'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-export-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Answers as a static host does: by the path alone. */
const fetch: typeof globalThis.fetch = async (input) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  const file = await readFile(join(folder, pathname)).catch(() => null)
  return new Response(file, { status: file === null ? 404 : 200, headers: { 'content-type': 'application/json' } })
}
const namesOf = (listings: readonly { readonly fullName: string }[]) => listings.map(({ fullName }) => fullName).sort()
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
const passed = catalogue.listings.filter(({ verdict }) => verdict === 'passed').map(({ record }) => record)

test('the client finds one plugin, every plugin, and those that passed', async () => {
  await exportStatic(catalogue, { site: SITE, folder })
  const client = createDirectoryClient({ baseUrl: SITE, fetch })
  expect((await client.index()).count).toBe(catalogue.listings.length)
  expect(namesOf(await collect(client.allPlugins()))).toEqual(namesOf(catalogue.listings.map(({ record }) => record)))
  const verified = await collect(client.verifiedPlugins())
  expect(namesOf(verified.map(({ record }) => record))).toEqual(namesOf(passed))
  expect((await client.plugin(NOTES))?.summary).toMatch(/Keeps notes/)
  expect(await client.plugin('nobody/nothing')).toBeNull()
})

test('the store knows each verdict, and takes no listing as the answer to a search', async () => {
  await exportStatic(catalogue, { site: SITE, folder })
  const store = new Catalogue({
    ...{ baseUrl: SITE, cli: 'dsh', stateDir: null, fetch, now: Date.now },
    onStatus: () => {},
    onProblem: (problem) => expect.unreachable(problem),
  })
  await store.load()
  const { rows, status } = await store.all()
  expect(status).toMatchObject({ state: 'ready', failure: null, described: catalogue.listings.length })
  expect(
    rows
      .filter(({ verdict }) => verdict === 'passed')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(namesOf(passed))
  expect(await store.search('notes')).toEqual([])
  await store.close()
})

test('an export of more records than clients read keeps those that can be installed', async () => {
  const summary = 'x'.repeat(19_000)
  const many = {
    ...catalogue,
    listings: Array.from({ length: 3 }).flatMap((_, round) =>
      catalogue.listings.map(({ record, ...rest }) => ({
        ...{ ...rest, record: { ...record, fullName: `${record.owner}/${record.repo}-${round}#x`, summary } },
      })),
    ),
  }
  const { records } = await exportStatic(many, { site: SITE, folder })
  expect(records).toBeLessThan(many.listings.length)
  expect((await readFile(join(folder, 'api/v1/plugins'))).length).toBeLessThanOrEqual(LIMITS.bodyBytes)
  const { results } = await (await fetch(`${SITE}/api/v1/plugins`)).json()
  const verdicts = new Set(results.map(({ installCheck }: { installCheck: string | null }) => installCheck))
  expect([...verdicts].sort()).toEqual(['needs-approval', 'passed'])
})
