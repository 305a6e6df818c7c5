import { KIND_PAGES } from './kinds.ts'
import { missingPage, pageListPage, servedAt } from './page-list.ts'
import { ownerOf, type PageOptions, type Row, repoOf } from './parts.ts'
import { profilePage } from './profile.ts'
import { repositoryPage } from './repository.ts'
import { searchPage } from './search.ts'
import { topicPage } from './topic.ts'

export type Route =
  | { readonly status: 200 | 404; readonly markup: string }
  | { readonly status: 302; readonly location: string }

const ROWS_A_PAGE = 20
/** Links in the README of a repository that has none of its own. */
const NEIGHBOURS = 4

const found = (markup: string): Route => ({ status: 200, markup })
const seeAt = (location: string): Route => ({ status: 302, location })

/**
 * The page of the demo's code host at an address.
 *
 * @param rows all repositories, in the order of the lists
 */
export function routeOf(url: URL, rows: readonly Row[], options: PageOptions): Route {
  const { pathname, searchParams } = url
  if (pathname === '/') return seeAt(startAddress(rows))
  if (pathname === '/wren-abbot' && url.search === '') return seeAt('/wren-abbot?tab=repositories')
  if (pathname === '/pages') return found(pageListPage(options))

  const topic = /^\/topics\/([^/]+)\/?$/.exec(pathname)?.[1]
  if (topic !== undefined) {
    const number = pageNumber(searchParams.get('page'))
    const next = rows.length > number * ROWS_A_PAGE ? { next: `${pathname}?page=${number + 1}` } : {}
    return found(topicPage(slice(rows, number), { ...options, topic: decodeURIComponent(topic), ...next }))
  }
  if (pathname === '/search' && /^(repositories)?$/.test(searchParams.get('type') ?? '')) {
    const query = searchParams.get('q') ?? ''
    const matching = rows.filter((row) => matches(row, query))
    const number = pageNumber(searchParams.get('p'))
    const pages = Math.max(1, Math.ceil(matching.length / ROWS_A_PAGE))
    return found(searchPage(slice(matching, number), { ...options, query, pageNumber: number, pages }))
  }

  const [, first = '', repo, tab] = pathname.split('/')
  const kindPage = KIND_PAGES.find((one) => servedAt(one) === pathname + url.search)
  const owner = first === 'orgs' ? repo : first
  const own = rows.filter(({ fullName }) => ownerOf(fullName).toLowerCase() === owner?.toLowerCase())
  if (kindPage) {
    // Only what an owner's own lists show belongs to them.
    const isOfOwner = own.length > 0 && (first === 'orgs' || repo === undefined)
    return found(kindPage.markup(isOfOwner ? own : rows.slice(0, ROWS_A_PAGE), options))
  }
  if (own[0] && repo === undefined) return found(profilePage(own, { ...options, owner: ownerOf(own[0].fullName) }))

  const row = own.find(({ fullName }) => repoOf(fullName).toLowerCase() === repo?.toLowerCase())
  if (row && (tab === undefined || tab === 'tree' || tab === 'blob')) {
    const { fullName, description } = row
    const at = rows.indexOf(row)
    const others = [...rows.slice(at + 1), ...rows.slice(0, at)].slice(0, NEIGHBOURS)
    return found(repositoryPage(others, { ...options, fullName, description }))
  }
  return { status: 404, markup: missingPage(row?.fullName ?? null, options) }
}

/** First page of the demo: a search that finds a page full. */
export function startAddress(rows: readonly Row[]): string {
  const isFull = rows.filter((row) => matches(row, 'dsh')).length >= ROWS_A_PAGE
  return `/search?q=${isFull ? 'dsh' : ''}&type=repositories`
}

const pageNumber = (text: string | null) => Math.max(1, Math.floor(Number(text)) || 1)
const slice = (rows: readonly Row[], number: number) => rows.slice((number - 1) * ROWS_A_PAGE, number * ROWS_A_PAGE)

function matches({ fullName, description }: Row, query: string): boolean {
  const text = `${fullName} ${description}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
