/** Test support: records, and a client whose fetch is a function of the test. */
import type { PluginRecord } from '../contract/index.ts'
import type { DirectoryClient, Rejection } from './core.ts'
import { createDirectoryClient } from './directory-client.ts'

export const record = (fullName: string, more: Partial<PluginRecord> = {}): PluginRecord => ({
  fullName,
  summary: 'Counts the reeds around a pond.',
  summaryZh: null,
  category: 'tools',
  stars: 3,
  license: 'MIT',
  npmPackage: null,
  installKind: 'github',
  install: `dsh plugin --profile web add github:${fullName}`,
  installable: true,
  installOptions: [],
  riskFlags: [],
  repoUrl: `https://github.com/${fullName}`,
  url: `https://directory.test/plugins/${fullName.replace('/', '-')}`,
  ...more,
})

interface ScriptedDirectory {
  readonly directory: DirectoryClient
  /** The query of every request so far, in order. */
  readonly asked: URLSearchParams[]
  readonly rejections: Rejection[]
}

/** Creates a client whose every request returns what `answer` returns, as JSON. */
export function scriptedDirectory(answer: (search: URLSearchParams, url: URL) => unknown): ScriptedDirectory {
  const asked: URLSearchParams[] = []
  const rejections: Rejection[] = []
  const directory = createDirectoryClient({
    baseUrl: 'https://directory.test/base/',
    fetch: async (input) => {
      const url = new URL(input as string)
      asked.push(url.searchParams)
      return Response.json(answer(url.searchParams, url))
    },
    onRejected: (rejection) => rejections.push(rejection),
  })
  return { directory, asked, rejections }
}

/** Returns the page that `search` requests, as a server of the contract does. */
export function pageOf(records: readonly unknown[], search: URLSearchParams) {
  const limit = Number(search.get('limit'))
  const from = (Number(search.get('page')) - 1) * limit
  const results = records.slice(from, from + limit)
  return { total: records.length, count: results.length, results }
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}
