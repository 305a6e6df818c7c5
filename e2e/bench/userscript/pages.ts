import { issuePage } from '../../pages/discussion.ts'
import { repositoryPage } from '../../pages/repository.ts'
import type { Row } from '../../pages/row.ts'
import { topicPage } from '../../pages/topic.ts'
import type { Wanted } from './recorder.ts'

/** A page the scripts are measured on. */
export interface BenchPage extends Wanted {
  readonly what: string
  readonly path: string
  readonly markup: string
}

/** Repositories of the index, spread over all of it, `count` from `from` of them on. */
type Repositories = (from: number, count: number) => string[]

export const BATCHES = 50
export const CARDS_A_BATCH = 20

/** Two of three rows are plugins. */
export const pluginsAmong = (rows: number): number => rows - Math.floor(rows / 3)

export function repositoriesOf(index: string): Repositories {
  const { plugins } = JSON.parse(index) as { plugins: [string][] }
  const all = [...new Set(plugins.map(([fullName]) => fullName.split('#')[0]!))]
  // A step that shares no factor with the number of names visits each of them once.
  const step = [7919, 7907, 7901].find((prime) => all.length % prime !== 0)!
  return (from, count) => Array.from({ length: count }, (_, i) => all[((from + i) * step) % all.length]!)
}

function rowsOf(repositories: Repositories, from: number, count: number): Row[] {
  const listed = repositories(from, pluginsAmong(count))
  return Array.from({ length: count }, (_, i) => ({
    fullName: i % 3 === 2 ? `wren-abbot-${from}/teapot-${i}` : listed[i - Math.floor(i / 3)]!,
    description: `Number ${i} of the list.`,
    stars: 40,
    language: 'TypeScript',
  }))
}

export function benchPages(repositories: Repositories) {
  const page = (what: string, path: string, rows: number, markup: (rows: Row[]) => string): BenchPage => ({
    what,
    path,
    markup: markup(rowsOf(repositories, 0, rows)),
    badges: pluginsAmong(rows),
    isLong: rows > 100,
  })
  return {
    cards: page('30 cards', '/topics/harness-plugin', 30, topicPage),
    links: page('300 links', '/lanternworks/harness/issues/12', 300, issuePage),
    readme: page('README of 2,000 links', '/lanternworks/harness', 2000, repositoryPage),
    others: {
      what: '30 cards, no plugin',
      path: '/topics/teapots',
      markup: topicPage(rowsOf(repositories, 0, 90).filter((_, i) => i % 3 === 2)),
      badges: 0,
      isLong: false,
    },
  } satisfies Record<string, BenchPage>
}

/** Pages of cards to be taken apart and appended, none of them with a repository of another. */
export function batchesOf(repositories: Repositories, batches: number, cards: number): string[] {
  return Array.from({ length: batches }, (_, i) => topicPage(rowsOf(repositories, 100 + i * cards, cards)))
}
